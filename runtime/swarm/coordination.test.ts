import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#protocol/events.ts';
import { inspectRun } from './run-access.ts';
import { resumeRun, startRun, type RunSession } from './session.ts';
import { realEdges, smallRun, type SmallRun } from './testing/small-run.ts';

const never = new AbortController().signal;

/** Drives a run to its end, lands it, and gives what it left behind. */
async function finish(
  session: RunSession,
): Promise<{ readonly status: string; readonly session: RunSession }> {
  try {
    const status = await session.drive(never);
    if (status === 'complete') await session.land({ approve: [] });
    return { status, session };
  } finally {
    await session.close();
  }
}

const list = 'export const names = [\n  "zero",\n];\n';

function workerTurns(
  name: string,
  after: string,
  edit: string,
  submitAfter: string,
  outcome: string,
): string {
  return `
  - key: worker root/${name} 1 1
    after: [${after}]
    calls:
      - tool: edit_file
        args: ${edit}
        expect: outcome=edited
  - key: worker root/${name} 1 2
    after: [${submitAfter}]
    calls:
      - tool: submit
        args: { title: ${name} }
        expect: ${outcome}
  - key: worker root/${name} 1 3
    calls:
      - tool: finish
        args: { status: done, summary: Added., verification: not-verified }
        expect: outcome=finished
`;
}

/** Two workers change `names.js`: `first` is on trunk before `second` submits, and both start from the same base. */
function twoAtOneFile(first: string, second: string, more = ''): string {
  return `
title: one file
concurrency: 2
turns:
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: first, role: worker, goal: Add one., scope: [], shared: [names.js], acceptance: [added] }
            - { name: second, role: worker, goal: Add two., scope: [], shared: [names.js], acceptance: [added] }
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Both are there., verification: unit-tests }
${workerTurns('first', 'root/second started', first, 'root/second started', 'outcome=committed')}
${workerTurns('second', 'root/first committed', second, 'root/first committed', more === '' ? 'outcome=merged' : 'outcome=conflicted')}
${more}`;
}

const top = '{ path: names.js, old: "export const", new: "// names\\nexport const" }';
const bottom = '{ path: names.js, old: "];\\n", new: "];\\nexport const more = [];\\n" }';
const addOne = '{ path: names.js, old: "  \\"zero\\",\\n", new: "  \\"zero\\",\\n  \\"one\\",\\n" }';
const addTwo = '{ path: names.js, old: "  \\"zero\\",\\n", new: "  \\"zero\\",\\n  \\"two\\",\\n" }';

const resolverTurn = `
  - key: resolver names.js root/first+root/second 1 1
    calls:
      - tool: resolve
        args: { action: write, content: "export const names = [\\n  \\"zero\\",\\n  \\"two\\",\\n];\\n" }
        expect: outcome=rejected problems=1
  - key: resolver names.js root/first+root/second 1 2
    calls:
      - tool: resolve
        args: { action: write, content: "export const names = [\\n  \\"zero\\",\\n  \\"one\\",\\n  \\"two\\",\\n];\\n" }
`;

test('edits at different places of one file are merged', async () => {
  await using run = await smallRun(twoAtOneFile(top, bottom), {
    files: { 'names.js': list },
    request: { verify: 'node --check names.js' },
  });
  const { status, session } = await finish(await startRun(run.request, realEdges));
  expect(status).toBe('complete');
  expect(session.projection.counts).toMatchObject({ commits: 2, merges: 1, conflicts: { raised: 0 } });
  const text = await readFile(join(run.workspace, 'names.js'), 'utf8');
  expect(text).toBe(`// names\n${list}export const more = [];\n`);
});

test('edits of the same lines are parked, and a neutral resolver keeps both', async () => {
  await using run = await smallRun(twoAtOneFile(addOne, addTwo, resolverTurn), {
    files: { 'names.js': list },
    request: { verify: 'node --check names.js' },
  });
  const session = await startRun(run.request, realEdges);
  const seen: RunEvent[] = [];
  session.subscribe((event) => seen.push(event));
  const { status } = await finish(session);
  expect(status).toBe('complete');
  expect(session.projection.counts.conflicts).toMatchObject({ raised: 1, resolved: 1, open: 0 });
  const text = await readFile(join(run.workspace, 'names.js'), 'utf8');
  expect(text).toBe('export const names = [\n  "zero",\n  "one",\n  "two",\n];\n');
  const order = seen.map(({ type }) => type);
  expect(order.indexOf('task.parked')).toBeLessThan(order.lastIndexOf('task.ended'));
  expect(order.indexOf('vcs.parked')).toBeLessThan(order.indexOf('task.parked'));
});

describe('a run that does not come out right', () => {
  test('is partial when trunk does not verify: green stays, nothing verified is there to land', async () => {
    await using run = await smallRun(twoAtOneFile(top, bottom), {
      files: { 'names.js': list },
      request: { verify: 'false' },
    });
    const session = await startRun(run.request, realEdges);
    try {
      expect(await session.drive(never)).toBe('partial');
      expect(session.projection.green).toBeUndefined();
      expect(session.projection.reasons.join('\n')).toContain("'false' ended with 1");
      await expect(session.land({ approve: [] })).rejects.toMatchObject({ code: 'nothing-to-land' });
    } finally {
      await session.close();
    }
  });

  test('goes on with another verify command, and is green by that', async () => {
    await using run = await smallRun(twoAtOneFile(top, bottom), {
      files: { 'names.js': list },
      request: { verify: 'no-such-command' },
    });
    expect((await finish(await startRun(run.request, realEdges))).status).toBe('partial');
    const verify = 'node --check names.js';
    const resumed = await resumeRun(
      { store: run.request.store, caps: {}, verify, environment: {} },
      realEdges,
    );
    const { status, session } = await finish(resumed);
    expect(status).toBe('complete');
    expect(session.projection.options?.verify).toBe(verify);
    expect(session.projection.green?.evidence.command).toBe(verify);
  });

  test('is no longer green once another verify command fails: nothing lands under the old evidence', async () => {
    await using run = await smallRun(twoAtOneFile(top, bottom), {
      files: { 'names.js': list },
      request: { verify: 'true' },
    });
    const first = await startRun(run.request, realEdges);
    expect(await first.drive(never)).toBe('complete');
    await first.close();
    const request = { store: run.request.store, caps: {}, verify: 'false', environment: {} };
    const second = await resumeRun(request, realEdges);
    try {
      expect(await second.drive(never)).toBe('partial');
      await expect(second.land({ approve: [] })).rejects.toMatchObject({ code: 'nothing-to-land' });
    } finally {
      await second.close();
    }
  });

  test('fails loudly when the playbook has no turn, and goes on once it has', async () => {
    const whole = twoAtOneFile(addOne, addTwo, resolverTurn);
    await using run = await smallRun(whole.replace(resolverTurn, ''), { files: { 'names.js': list } });
    const broken = await startRun(run.request, realEdges);
    await expect(finish(broken)).rejects.toMatchObject({ code: 'playbook-missing-turn' });
    expect((await inspectRun(run.request.store, realEdges)).projection.status).toBe('failed');
    await writeFile(run.request.playbook ?? '', whole);
    const again = await resumeRun({ store: run.request.store, caps: {}, environment: {} }, realEdges);
    const { session } = await finish(again);
    expect(session.projection.counts).toMatchObject({ commits: 2, conflicts: { raised: 1, resolved: 1 } });
    expect(session.projection.counts.conflicts.open).toBe(0);
  });

  test('stops at a cap before the call that could pass it, and goes on with a higher one', async () => {
    await using run = await smallRun(twoAtOneFile(top, bottom), {
      files: { 'names.js': list },
      request: {
        verify: 'node --check names.js',
        caps: { tasks: 10, depth: 3, concurrency: 2, tokens: 27_000 },
      },
    });
    const first = await finish(await startRun(run.request, realEdges));
    expect(first.status).toBe('partial');
    expect(first.session.projection.braked).toContain('tokens');
    expect(first.session.projection.ledger.booked.tokens).toBeLessThanOrEqual(27_000);
    const resumed = await resumeRun(
      { store: run.request.store, caps: { tokens: 10_000_000 }, environment: {} },
      realEdges,
    );
    expect((await finish(resumed)).status).toBe('complete');
  });
});

async function interruptAt(run: SmallRun, type: RunEvent['type'], count: number): Promise<void> {
  const session = await startRun(run.request, realEdges);
  const abort = new AbortController();
  let seen = 0;
  session.subscribe((event) => {
    if (event.type === type && (seen += 1) === count) abort.abort(new Error('stopped by the test'));
  });
  try {
    expect(await session.drive(abort.signal)).toBe('interrupted');
  } finally {
    await session.close();
  }
}

test('a turn that plans and wants to finish at once is cut between the two calls, and goes on', async () => {
  const playbook = `
title: two calls
concurrency: 1
turns:
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks: [{ name: first, role: worker, goal: Add one., scope: [a.txt], acceptance: [added] }]
      - tool: finish
        args: { status: done, summary: Planned., verification: not-verified }
        expect: outcome=rejected code=children-running
  - key: worker root/first 1 1
    calls:
      - tool: finish
        args: { status: done, summary: Nothing to do., verification: not-verified }
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: done, summary: Done., verification: not-verified }
`;
  await using run = await smallRun(playbook, { request: { verify: 'true' } });
  await interruptAt(run, 'task.created', 1);
  const { status } = await finish(
    await resumeRun({ store: run.request.store, caps: {}, environment: {} }, realEdges),
  );
  expect(status).toBe('complete');
});

describe('an interrupted run', () => {
  test.each([
    ['task.created', 1],
    ['task.started', 2],
    ['call.reserved', 4],
    ['call.settled', 5],
    ['vcs.committed', 1],
    ['vcs.parked', 1],
    ['task.parked', 1],
  ] as const)('at %s %i goes on where it was', async (type, count) => {
    await using run = await smallRun(twoAtOneFile(addOne, addTwo, resolverTurn), {
      files: { 'names.js': list },
      request: { verify: 'node --check names.js' },
    });
    await interruptAt(run, type, count);
    const { status, session } = await finish(
      await resumeRun({ store: run.request.store, caps: {}, environment: {} }, realEdges),
    );
    expect(status).toBe('complete');
    expect(session.projection.counts).toMatchObject({ commits: 2, conflicts: { raised: 1, resolved: 1 } });
    const keys = [...session.projection.ledger.settled.keys()].toSorted();
    expect(keys).toEqual([
      'planner root 1 1',
      'planner root 1 2',
      'resolver names.js root/first+root/second 1 1',
      'resolver names.js root/first+root/second 1 2',
      ...['first', 'second'].flatMap((name) => [1, 2, 3].map((turn) => `worker root/${name} 1 ${turn}`)),
    ]);
  });
});
