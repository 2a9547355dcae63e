import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '#protocol/events.ts';
import { resumeRun, startRun, type RunSession } from './session.ts';
import { realEdges, smallRun } from './testing/small-run.ts';

const never = new AbortController().signal;
const base = 'zero\n';

/** Two workers rewrite the same line; `second` submits once `first` is on trunk. What follows is added to its turns. */
function collision(secondTurns: string, rest: string): string {
  return `
title: collision
concurrency: 2
turns:
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: first, role: worker, goal: One., scope: [], shared: [a.txt], acceptance: [done] }
            - { name: second, role: worker, goal: Two., scope: [b.txt], shared: [a.txt], acceptance: [done] }
  - key: worker root/first 1 1
    after: [root/second started]
    calls:
      - tool: write_file
        args: { path: a.txt, content: "one\\n" }
      - tool: finish
        args: { status: done, summary: One., verification: not-verified }
  - key: worker root/second 1 1
    after: [root/first committed]
    calls:
      - tool: write_file
        args: { path: a.txt, content: "two\\n" }
      - tool: submit
        args: { title: two }
        expect: outcome=conflicted paths=a.txt
${secondTurns}
${rest}`;
}

const resolver = `
  - key: resolver a.txt root/first+root/second 1 1
    calls:
      - tool: resolve
        args: { action: write, content: "one\\ntwo\\n" }
`;

const rootFinish = `
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Done., verification: not-verified }
`;

interface Driven {
  readonly status: string;
  readonly projection: RunSession['projection'];
  readonly events: readonly RunEvent[];
}

async function drive(session: RunSession): Promise<Driven> {
  const events: RunEvent[] = [];
  session.subscribe((event) => events.push(event));
  try {
    const status = await session.drive(never);
    if (status === 'complete') await session.land({ approve: [] });
    return { status, projection: session.projection, events };
  } finally {
    await session.close();
  }
}

test('a worker whose conflict was settled goes on from there, and does not meet it again', async () => {
  const turns = `
  - key: worker root/second 1 2
    after: [root/second committed]
    calls:
      - tool: write_file
        args: { path: b.txt, content: "more\\n" }
      - tool: submit
        args: { title: more }
        expect: outcome=committed files=1
      - tool: read_file
        args: { path: a.txt }
        expect: path=a.txt lines=1-2 of=2
      - tool: sync
        args: {}
        expect: outcome=synced changed=0 merged=0
      - tool: finish
        args: { status: done, summary: Two., verification: not-verified }
`;
  await using run = await smallRun(collision(turns, resolver + rootFinish), {
    files: { 'a.txt': base },
    request: { verify: 'test -f b.txt' },
  });
  const { status, projection } = await drive(await startRun(run.request, realEdges));
  expect(status).toBe('complete');
  expect(projection.counts.conflicts).toMatchObject({ raised: 1, resolved: 1 });
  expect(await readFile(join(run.workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

const secondFinish = `
  - key: worker root/second 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Two., verification: not-verified }
`;

test('work that no resolver settles fails its task, stays whole, and a planner can drop it for a reason', async () => {
  const silent = Array.from(
    { length: 3 },
    (_, index) =>
      `  - { key: resolver a.txt root/first+root/second 1 ${index + 1}, text: I cannot decide. }\n`,
  ).join('');
  const dropping = `
  - key: planner root 1 2
    calls:
      - tool: drop_parked
        args: { task: root/first, reason: wrong one }
        expect: outcome=rejected code=not-parked
      - tool: drop_parked
        args: { task: root/second, reason: one is enough }
        expect: outcome=dropped task=root/second
  - key: planner root 1 3
    calls:
      - tool: finish
        args: { status: done, summary: Done., verification: not-verified }
`;
  await using run = await smallRun(collision(secondFinish, silent + dropping), {
    files: { 'a.txt': base },
    request: { verify: 'grep -q one a.txt' },
  });
  const { status, projection } = await drive(await startRun(run.request, realEdges));
  expect(projection.task('root/second')).toMatchObject({
    state: 'failed',
    handoff: { synthetic: 'parked-without-resolution' },
  });
  expect(projection.counts.conflicts).toEqual({ raised: 1, resolved: 0, dropped: 1, open: 0 });
  expect(status).toBe('complete');
});

test('a cap that stops the workers leaves the resolver what is kept for it', async () => {
  await using run = await smallRun(collision(secondFinish, resolver + rootFinish), {
    files: { 'a.txt': base },
    request: { verify: 'grep -q one a.txt' },
  });
  // Enough for what came before the conflict; then a worker's call is refused and a resolver's is not.
  const first = await startRun(run.request, realEdges);
  const abort = new AbortController();
  first.subscribe((event) => {
    if (event.type === 'vcs.parked') abort.abort(new Error('stopped by the test'));
  });
  expect(await first.drive(abort.signal)).toBe('interrupted');
  const { booked } = first.projection.ledger;
  await first.close();
  const tokens = Math.ceil((booked.tokens + 24_000) / 0.97);
  const { status, projection, events } = await drive(
    await resumeRun({ store: run.request.store, caps: { tokens }, environment: {} }, realEdges),
  );
  expect(status).toBe('partial');
  expect(projection.braked).toContain('tokens');
  expect(events.some((event) => event.type === 'vcs.committed' && event.resolves !== undefined)).toBe(true);
  expect(projection.ledger.booked.tokens).toBeLessThanOrEqual(tokens);
});
