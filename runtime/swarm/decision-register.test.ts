import { expect, test } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { RunProjection } from '#protocol/projection.ts';
import { defaultCaps } from '#protocol/requests.ts';
import type { TaskSpec } from '#protocol/tasks.ts';
import { MemoryJournal } from '#journal/memory-journal.ts';
import { MemoryLogStore } from '#vcs/memory-log-store.ts';
import { createRepository } from '#vcs/open-repository.ts';
import { Claims } from './claims.ts';
import { recordDecision } from './decision-register.ts';
import { EventLog } from './event-log.ts';

function spec(name: string, decides: readonly string[] = []): TaskSpec {
  return {
    name,
    role: 'planner',
    goal: name,
    scope: ['**'],
    shared: [],
    decides,
    acceptance: [],
    sections: [],
    dependsOn: [],
  };
}

async function* nothing(): AsyncGenerator<never> {}

async function bench(decides: readonly string[] = []): Promise<{
  readonly log: EventLog;
  readonly record: (planner: string, question: string) => ReturnType<typeof recordDecision>;
}> {
  const clock = new ManualClock(1);
  const { repository } = await createRepository(
    { logStore: new MemoryLogStore(), clock },
    { files: nothing },
    {
      run: 'r',
      task: 'root',
      attempt: 1,
      role: 'harness',
      model: '',
      decisions: [],
      title: 'import',
    },
  );
  const log = new EventLog(new MemoryJournal(clock), new RunProjection());
  const claims = new Claims(log);
  await log.publish(
    {
      type: 'run.created',
      options: {
        run: 'r',
        specPath: '/s.md',
        specTitle: 's',
        workspace: '/w',
        models: { planner: 'p/p', worker: 'p/p', resolver: 'p/p' },
        caps: defaultCaps,
        land: true,
        unsandboxed: false,
      },
    },
    { type: 'task.created', task: 'root', spec: spec('root') },
    { type: 'task.created', task: 'root/a', spec: spec('a') },
    { type: 'task.created', task: 'root/b', spec: spec('b', decides) },
  );
  let call = 0;
  const record = async (planner: string, question: string): ReturnType<typeof recordDecision> => {
    call += 1;
    const outcome = await recordDecision(
      repository,
      log.projection,
      claims,
      { run: 'r', model: 'p/p', attempt: 1, planner, id: { task: planner, epoch: 1, turn: 1, call } },
      { question, choice: `${planner} says so`, why: 'because' },
    );
    if (outcome.kind === 'recorded' && outcome.commit !== undefined) {
      await log.publish({ type: 'decision.recorded', decision: outcome.decision, commit: outcome.commit });
    }
    return outcome;
  };
  return { log, record };
}

test('of two planners that decide one question at once, one is told whose it is', async () => {
  const { log, record } = await bench();
  const outcomes = await Promise.all([record('root/a', 'row-format'), record('root/b', 'row-format')]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'rejected']);
  expect(outcomes[1]).toMatchObject({ code: 'decided-elsewhere', details: 'root/a is deciding it now' });
  expect(log.projection.decisions.get('row-format')?.owner).toBe('root/a');
});

test('a decision of another planner is named, with its choice', async () => {
  const { record } = await bench();
  await record('root/a', 'row-format');
  expect(await record('root/b', 'row-format')).toMatchObject({
    kind: 'rejected',
    details: 'root/a decided it as row-format@1: root/a says so',
  });
});

test("a planner's own answer is replaced by its next revision", async () => {
  const { record } = await bench();
  await record('root/a', 'row-format');
  expect(await record('root/a', 'row-format')).toMatchObject({ decision: { revision: 2 } });
});

test('a question that was given to another part of the tree is refused', async () => {
  const { record } = await bench(['row-format']);
  expect(await record('root/a', 'row-format')).toMatchObject({ details: "it is root/b's to decide" });
  expect(await record('root/b', 'row-format')).toMatchObject({ kind: 'recorded' });
});
