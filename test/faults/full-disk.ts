/**
 * Builds while the disk of the store fills up, makes room and goes on: `node full-disk.ts REQUEST`, a StartRequest whose
 * store lies on a small disk. Prints how both sessions ended, a RunOutcome each, as one JSON list.
 */
import { once } from 'node:events';
import { appendFile, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunOutcome, StartRequest } from '#protocol/runtime-api.ts';
import { RunFolders } from '#journal/run-folders.ts';
import { RuntimeService } from '#service/runtime-service.ts';
import { realEdges } from '#swarm/testing/small-run.ts';

const [, , requestText = ''] = process.argv;
const request: StartRequest & { readonly store: string } = JSON.parse(requestText);
const disk = dirname(request.store);
const filler = join(disk, 'filler');
const signals = new EventTarget();

const service = new RuntimeService(realEdges, new RunFolders(disk, realEdges), {
  events: (_store, events) => {
    if (events.some((event) => event.type === 'task.started' && event.task === 'root/greet')) {
      signals.dispatchEvent(new Event('working'));
    }
  },
  ended: (_store, outcome) => {
    signals.dispatchEvent(new CustomEvent('ended', { detail: outcome }));
  },
  freed: () => undefined,
});

async function ended(): Promise<RunOutcome> {
  const [event] = await once(signals, 'ended');
  const { detail }: { readonly detail: RunOutcome } = event;
  return detail;
}

/** To the last byte. */
async function fillUp(): Promise<void> {
  for (let size = 65_536; size >= 1;) {
    try {
      await appendFile(filler, Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
  }
  if ((await statfs(disk)).bavail > 0) throw new Error('there is room left');
}

const first = ended();
const working = once(signals, 'working');
await service.startRun(request);
await working;
await fillUp();
const outcomes = [await first];
await rm(filler);
const second = ended();
await service.resumeRun({ store: request.store, caps: {}, environment: {} });
outcomes.push(await second);
await service.shutDown();
console.log(JSON.stringify(outcomes));
