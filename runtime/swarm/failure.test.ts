import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#protocol/events.ts';
import { startRun, type RunSession } from './session.ts';
import { realEdges, smallRun } from './testing/small-run.ts';

const never = new AbortController().signal;

interface Driven {
  readonly status: string;
  readonly projection: RunSession['projection'];
  readonly events: readonly RunEvent[];
}

async function drive(turns: string, request: Parameters<typeof smallRun>[1] = {}): Promise<Driven> {
  await using run = await smallRun(`title: failures\nconcurrency: 2\nturns:\n${turns}`, request);
  const session = await startRun(run.request, realEdges);
  const events: RunEvent[] = [];
  session.subscribe((event) => events.push(event));
  try {
    return { status: await session.drive(never), projection: session.projection, events };
  } finally {
    await session.close();
  }
}

const idle = (attempt: number): string =>
  [1, 2, 3].map((turn) => `  - { key: worker root/first ${attempt} ${turn}, text: Thinking. }\n`).join('');

const finish = (key: string, expected = 'outcome=finished'): string => `
  - key: ${key}
    calls:
      - tool: finish
        args: { status: done, summary: Done., verification: not-verified }
        expect: ${expected}
`;

const planOf = (wake: string, second: string): string => `
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: ${wake}
          tasks:
            - { name: first, role: worker, goal: Do it., scope: [a.txt], acceptance: [done] }
            - { name: second, role: worker, goal: Do it too., scope: [b.txt], acceptance: [done]${second} }
        expect: outcome=accepted tasks=2
`;

describe('an agent that does nothing', () => {
  test('is replaced by another one, and its epoch is fenced off', async () => {
    const { projection, events } = await drive(
      planOf('all', '') +
        idle(1) +
        finish('worker root/first 2 1') +
        finish('worker root/second 1 1') +
        finish('planner root 1 2'),
    );
    expect(projection.task('root/first')).toMatchObject({ state: 'done', attempt: 2, epoch: 2 });
    expect(events.find(({ type }) => type === 'task.retried')).toMatchObject({ mode: 'stalled', attempt: 2 });
    expect(events.some(({ type }) => type === 'vcs.fenced')).toBe(true);
  });

  test('three times in a row is given up: its planner gets a synthetic handoff, and what depends on it ends', async () => {
    const { projection, events } = await drive(
      planOf('all', ', depends_on: [first]') + idle(1) + idle(2) + idle(3) + finish('planner root 1 2'),
    );
    expect(projection.task('root/first')).toMatchObject({
      state: 'failed',
      attempt: 3,
      handoff: { status: 'failed', synthetic: 'stalled' },
    });
    expect(projection.task('root/second')).toMatchObject({
      state: 'cancelled',
      handoff: { synthetic: 'cancelled' },
    });
    expect(events.find(({ type }) => type === 'task.woke')).toMatchObject({
      handoffs: ['root/first', 'root/second'],
    });
  });
});

describe('a planner', () => {
  test('that wants to finish while its tasks work sleeps on, and is woken with their handoffs', async () => {
    const { projection, events } = await drive(
      planOf('each', '') +
        finish('worker root/first 1 1') +
        `
  - key: worker root/second 1 1
    after: [root/first ended]
    calls:
      - tool: list_files
        args: {}
` +
        finish('worker root/second 1 2') +
        finish('planner root 1 2', 'outcome=rejected code=children-running') +
        finish('planner root 1 3'),
    );
    expect(projection.task('root').state).toBe('done');
    const woken = events.flatMap((event) => (event.type === 'task.woke' ? [event.handoffs] : []));
    expect(woken.flat().toSorted()).toEqual(['root/first', 'root/second']);
  });

  test('plans again after what it hears', async () => {
    const { projection } = await drive(
      planOf('all', '') +
        finish('worker root/first 1 1') +
        finish('worker root/second 1 1') +
        `
  - key: planner root 1 2
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: third, role: worker, goal: And more., scope: [a.txt], acceptance: [done] }
        expect: outcome=accepted tasks=1
` +
        finish('worker root/third 1 1') +
        finish('planner root 1 3'),
    );
    expect(projection.counts).toMatchObject({ tasks: 4, workersDone: 3 });
  });

  test('whose plan overlaps is told of both sides, and nothing was made', async () => {
    const { projection } = await drive(
      `
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: first, role: worker, goal: Do it., scope: [src/**], acceptance: [done] }
            - { name: second, role: worker, goal: Do it too., scope: [src/b.txt], acceptance: [done] }
        expect: outcome=rejected problems=1
  - key: planner root 1 2
    calls:
      - tool: finish
        args: { status: blocked, summary: Cannot., verification: not-verified }
`,
    );
    expect(projection.counts.tasks).toBe(1);
    expect(projection.status).toBe('partial');
    expect(projection.reasons.join('\n')).toContain('the root planner gave up: Cannot.');
  });
});

const said = (attempt: number, turn: number): string =>
  `  - { key: planner root/part ${attempt} ${turn}, text: Hm. }\n`;

test('the tasks of a planner that was given up are cancelled, those that run with the others', async () => {
  const silent = [
    said(1, 2),
    said(1, 3),
    said(1, 4),
    ...[2, 3].flatMap((attempt) => [1, 2, 3].map((turn) => said(attempt, turn))),
  ].join('');
  const { projection, events } = await drive(
    `
  - key: planner root 1 1
    calls:
      - tool: plan
        args:
          wake: all
          tasks:
            - { name: part, role: planner, goal: Do it., scope: [src/**], acceptance: [done] }
  - key: planner root/part 1 1
    calls:
      - tool: plan
        args:
          wake: each
          tasks:
            - { name: quick, role: worker, goal: Do it., scope: [src/a.txt], acceptance: [done] }
            - { name: slow, role: worker, goal: Do it., scope: [src/b.txt], acceptance: [done] }
            - { name: later, role: worker, goal: Do it., scope: [src/c.txt], acceptance: [done], depends_on: [slow] }
  - key: worker root/part/slow 1 1
    calls:
      - tool: run_command
        args: { command: sleep 100 }
` +
      silent +
      finish('worker root/part/quick 1 1') +
      finish('planner root 1 2'),
  );
  expect(projection.task('root/part')).toMatchObject({ state: 'failed', handoff: { synthetic: 'stalled' } });
  for (const task of ['root/part/slow', 'root/part/later']) {
    expect(projection.task(task)).toMatchObject({ state: 'cancelled', handoff: { synthetic: 'cancelled' } });
  }
  expect(events.some((event) => event.type === 'vcs.fenced' && event.task === 'root/part/slow')).toBe(true);
  expect(projection.task('root').state).toBe('done');
});

test('a run that is out of time stops, and says so', async () => {
  const { status, projection } = await drive(
    planOf('all', '') +
      `
  - key: worker root/first 1 1
    calls:
      - tool: run_command
        args: { command: sleep 60 }
` +
      finish('worker root/second 1 1'),
    { request: { verify: 'true', caps: { tasks: 10, depth: 3, concurrency: 2, minutes: 0.05 } } },
  );
  expect(status).toBe('partial');
  expect(projection.braked).toContain('0.05 minutes');
});
