/**
 * A process that writes until it is killed: `kill-writers.ts FOLDER ROUND`. Each line it prints is a commit that was
 * acknowledged: task, turn, commit. Run by durability.test.ts.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import type { SubmitRequest } from '#protocol/change-sets.ts';
import { FileLogStore } from '../file-log-store.ts';
import { createRepository } from '../open-repository.ts';
import type { Repository } from '../repository.ts';
import { killedContent, killSegmentBytes, killStart, killWriters } from './kill-contents.ts';
import { provenance, sourceOf } from './trunk.ts';

async function writeForEver(repository: Repository, task: string, firstTurn: number): Promise<void> {
  for (let turn = firstTurn; ; turn += 1) {
    const view = repository.openView(repository.head().id);
    // Two files of its own that must always agree, and its line of a file that all share.
    for (const path of [`${task}/one`, `${task}/two`]) view.write(path, killedContent(task, turn));
    // oxlint-disable-next-line no-await-in-loop -- a writer does one thing after the other
    const shared = Buffer.from(await view.read('shared'))
      .toString()
      .split('\n');
    shared[3 * killWriters.indexOf(task)] = `${task} ${turn}`;
    view.write('shared', Buffer.from(shared.join('\n')));
    const request: SubmitRequest = {
      id: { task, epoch: 1, turn, call: 0 },
      changeSet: view.changeSet(),
      scope: ['**'],
      intent: { kind: 'work' },
      provenance: { ...provenance, task },
    };
    // oxlint-disable-next-line no-await-in-loop -- as above
    const outcome = await repository.submit(request);
    if (outcome.kind !== 'committed' && outcome.kind !== 'merged') {
      throw new Error(`${task} ${turn}: ${JSON.stringify(outcome)}`);
    }
    writeSync(1, `${task} ${turn} ${outcome.commit}\n`);
  }
}

const [folder = '', round = '0'] = process.argv.slice(2);
const logStore = new FileLogStore(nodeFileSystem, folder, killSegmentBytes);
const { repository } = await createRepository(
  { logStore, clock: systemClock },
  sourceOf(killStart),
  provenance,
);
await Promise.all(killWriters.map(async (task) => writeForEver(repository, task, Number(round) * 1_000_000)));
