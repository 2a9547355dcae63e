/**
 * A process for tests that are about kills: owns the store in the folder it is given, and appends for ever.
 * Says `owned`, then each acknowledged sequence number, one a line.
 */
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { openJournal } from './sqlite-journal.ts';
import { lockStore } from './store-lock.ts';

const [, , folder = ''] = process.argv;
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const lock = await lockStore(folder, { clock: systemClock, fileSystem: nodeFileSystem });
const journal = await openJournal(folder, systemClock);
say('owned');
let next = (await journal.transcript('root@1')).length;

async function appendForEver(): Promise<void> {
  for (;;) {
    const index = next;
    next += 1;
    const text = `${index} `.repeat(500);
    // oxlint-disable-next-line no-await-in-loop -- each lane waits for its own acknowledgement
    const [event] = await journal.append({
      events: [{ type: 'run.braked', reason: text }],
      items: [{ agent: 'root@1', index, item: { kind: 'user', text } }],
    });
    say(String(event?.sequence));
  }
}

await Promise.all([appendForEver(), appendForEver(), appendForEver()]);
await lock.release();
