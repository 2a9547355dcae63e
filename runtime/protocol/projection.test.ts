import { describe, expect, it } from 'vitest';
import type { RunEventBody } from './events.ts';
import { RunProjection } from './projection.ts';
import { ProjectionError } from './projection-error.ts';
import {
  begun,
  committed,
  created,
  ended,
  fold,
  handoff,
  evidence,
  parked,
  reserved,
  settled,
  numbered,
  options,
  slept,
  started,
  told,
  woke,
  tree,
} from './projection-samples.ts';

const decided = (question: string, revision: number): RunEventBody => ({
  type: 'decision.recorded',
  decision: { question, revision, choice: `c${revision}`, why: 'w', owner: 'root' },
  commit: 'c1',
});

describe('a run', () => {
  it('is empty before its first event', () => {
    const state = new RunProjection();
    expect(state.status).toBe('empty');
    expect(state.counts).toMatchObject({ tasks: 0, depth: 0, conflicts: { open: 0 } });
  });

  it('runs, is braked, ends, and runs again after a resume, with the caps it was given then', () => {
    const caps = { ...options.caps, usd: 3 };
    const braked: RunEventBody = { type: 'run.braked', reason: 'cap' };
    const over: RunEventBody = { type: 'run.ended', status: 'partial', reasons: ['parked work'] };
    const state = fold(begun, braked, over);
    expect(state).toMatchObject({ status: 'partial', reasons: ['parked work'], braked: 'cap' });
    const again = fold(begun, braked, over, { type: 'run.resumed', lostCalls: [], notes: [], caps });
    expect(again).toMatchObject({ status: 'running', reasons: [], braked: undefined, caps });
    expect(again.options).toEqual({ ...options, caps });
  });

  it('has worked as long as its sessions took together, also when the clock goes back', () => {
    const braked: RunEventBody = { type: 'run.braked', reason: 'a' };
    const resumed: RunEventBody = { type: 'run.resumed', lostCalls: [], notes: [], caps: options.caps };
    const landing: RunEventBody = { type: 'landing.started', snapshot: 'c0', verified: false, paths: 0 };
    // A landing may come days later: it is no work of the run.
    const events = numbered([begun, braked, braked, landing, resumed, braked]);
    const times = [1_000, 4_000, 3_000, 80_000, 90_000, 92_000];
    const state = new RunProjection();
    const worked = events.map((event, index) => {
      state.apply(Object.assign(event, { time: times[index] }));
      return state.workedMilliseconds;
    });
    expect(worked).toEqual([0, 3_000, 3_000, 3_000, 3_000, 5_000]);
  });

  it('does not work while it is paused, whatever is still finished then and however it ends', () => {
    const [paused, continued]: RunEventBody[] = [{ type: 'run.paused' }, { type: 'run.continued' }];
    const command: RunEventBody = { type: 'run.braked', reason: 'in flight' };
    const over: RunEventBody = { type: 'run.ended', status: 'interrupted', reasons: [] };
    if (!paused || !continued) throw new Error('there are two');
    const events = numbered([begun, paused, command, continued, paused, over]);
    const times = [1_000, 3_000, 5_000, 60_000, 61_000, 99_000];
    const state = new RunProjection();
    const seen = events.map((event, index) => {
      state.apply(Object.assign(event, { time: times[index] }));
      return [state.paused, state.workedMilliseconds];
    });
    expect(seen).toEqual([
      [false, 0],
      [true, 2_000],
      [true, 2_000],
      [false, 2_000],
      [true, 3_000],
      [false, 3_000],
    ]);
  });
});

describe('the tree of tasks', () => {
  it('keeps children in the order of their creation', () => {
    const state = fold(...tree);
    expect(state.task('root').children).toEqual(['root/b', 'root/a']);
    expect(state.counts).toMatchObject({ tasks: 4, planners: 2, workers: 2, depth: 2 });
    expect([...state.tasksIn('waiting')]).toEqual(['root/b', 'root/a', 'root/a/x']);
  });

  it('counts a worker as live while its agent runs, and remembers the peak', () => {
    const state = fold(...tree, started('root/b'), started('root/a/x'), ended('root/b'), {
      type: 'task.parked',
      task: 'root/a/x',
      parked: 'root/a/x#1.2.0',
      handoff: handoff('x'),
    });
    expect(state.counts).toMatchObject({ workersLive: 0, workersPeak: 2, workersDone: 1 });
    expect(state.task('root/a/x')).toMatchObject({ state: 'parked', parked: 'root/a/x#1.2.0' });
  });

  it('holds a handoff for the planner until it is woken with it, sorted by path', () => {
    const events = [...tree, started('root/b'), started('root/a'), slept('root', 'each')];
    const both = fold(...events, ended('root/b'), ended('root/a', 'failed'));
    expect(both.undelivered('root')).toEqual(['root/a', 'root/b']);
    expect(both.task('root')).toMatchObject({ state: 'sleeping', wake: 'each', unfinishedChildren: 0 });
    const one = fold(...events, ended('root/b'), woke('root', 'root/b'), ended('root/a'));
    expect(one.undelivered('root')).toEqual(['root/a']);
    expect(one.task('root')).toMatchObject({ state: 'running', wake: undefined });
  });

  it('wakes a planner that is done when a late handoff comes, and it ends anew', () => {
    const events = [...tree, started('root/a'), ended('root/a'), started('root/a/x'), ended('root/a/x')];
    const state = fold(...events, woke('root/a', 'root/a/x'));
    expect(state.task('root')).toMatchObject({ unfinishedChildren: 2 });
    expect(state.task('root/a').state).toBe('running');
    expect(state.fact('root/a', 'ended')).toBe(true);
    expect(fold(...events, woke('root/a', 'root/a/x'), ended('root/a')).undelivered('root')).toEqual([
      'root/a',
    ]);
  });

  it('starts a task anew after a failed attempt, past the fence', () => {
    const retried: RunEventBody = {
      type: 'task.retried',
      task: 'root/b',
      attempt: 2,
      mode: 'stalled',
      details: 'silent',
    };
    const events = [...tree, started('root/b'), retried];
    const state = fold(...events, { type: 'vcs.fenced', position: 2, task: 'root/b', epoch: 2 });
    expect(state.task('root/b')).toMatchObject({
      state: 'waiting',
      attempt: 2,
      epoch: 2,
      failure: { mode: 'stalled', details: 'silent' },
    });
    expect(fold(...events, started('root/b', 2, 2)).task('root/b')).toMatchObject({ state: 'running' });
  });

  it('tells which tasks have changed since a version', () => {
    const state = fold(...tree, started('root/b'));
    const changed = [...state.tasks.values()].filter((task) => task.changedAt > tree.length);
    expect(changed.map((task) => task.path)).toEqual(['root/b']);
  });

  it('knows the facts that barriers wait for', () => {
    const events = [...tree, started('root/b')];
    const facts = (...more: readonly RunEventBody[]): string[] =>
      ['started', 'committed', 'parked', 'ended', 'else'].filter((name) =>
        fold(...events, ...more).fact('root/b', name),
      );
    expect(facts()).toEqual(['started']);
    expect(facts(committed(2, 'root/b'))).toEqual(['started', 'committed']);
    expect(facts(parked(2, 'root/b', 'p'), ended('root/b'))).toEqual(['started', 'parked', 'ended']);
    expect(fold(...events).fact('root/never', 'started')).toBe(false);
  });
});

describe('decisions', () => {
  it('are told by question, newest revision, in the order in which they were first made', () => {
    const state = fold(begun, decided('b', 1), decided('a', 3), decided('b', 2));
    expect([...state.decisions].map(([question, { revision }]) => `${question}@${revision}`)).toEqual([
      'b@2',
      'a@3',
    ]);
  });
});

describe('a journal that contradicts itself', () => {
  const cases: readonly (readonly [string, ProjectionError['code'], readonly RunEventBody[]])[] = [
    ['begins with something else', 'contradiction', [created('root', 'planner')]],
    ['begins twice', 'contradiction', [begun, begun]],
    ['names a task that was never created', 'unknown-task', [begun, started('root/x')]],
    ['creates a task below nothing', 'unknown-task', [begun, created('root/x')]],
    ['has two roots', 'contradiction', [...tree, created('other')]],
    ['creates a task twice', 'contradiction', [...tree, created('root/b')]],
    ['gives a worker a child', 'contradiction', [...tree, created('root/b/c')]],
    ['starts a task twice', 'contradiction', [...tree, started('root/b'), started('root/b')]],
    ['starts an attempt that is not due', 'contradiction', [...tree, started('root/b', 2)]],
    [
      'starts an agent of a fenced epoch',
      'contradiction',
      [...tree, { type: 'vcs.fenced', position: 2, task: 'root/b', epoch: 2 }, started('root/b')],
    ],
    ['ends a task twice', 'contradiction', [...tree, ended('root/b'), ended('root/b')]],
    [
      'ends a task in a state that is no end',
      'contradiction',
      [...tree, { type: 'task.ended', task: 'root/b', state: 'running', handoff: handoff('?') }],
    ],
    ['lets a worker wait for children', 'contradiction', [...tree, started('root/b'), slept('root/b')]],
    ['wakes a planner that is awake', 'contradiction', [...tree, woke('root')]],
    [
      'delivers a handoff that is not there',
      'contradiction',
      [...tree, slept('root'), woke('root', 'root/b')],
    ],
    [
      'takes a log record in twice',
      'contradiction',
      [...tree, committed(2, 'root/b'), committed(2, 'root/b')],
    ],
    ['leaves a log record out', 'contradiction', [...tree, committed(3, 'root/b')]],
    [
      'commits before there is a trunk',
      'contradiction',
      [
        begun,
        created('root', 'planner'),
        { type: 'vcs.fenced', position: 1, task: 'root', epoch: 1 },
        committed(2, 'root'),
      ],
    ],
    ['commits for an agent of no task', 'unknown-task', [...tree, committed(2, 'root/z')]],
    [
      'settles a conflict that is not open',
      'contradiction',
      [...tree, committed(2, 'root/b', { resolves: 'p' })],
    ],
    [
      'drops what is not parked',
      'contradiction',
      [...tree, { type: 'vcs.dropped', position: 2, parked: 'p', reason: '' }],
    ],
    ['settles a call that was not reserved', 'contradiction', [...tree, settled('k', 'root/b')]],
    ['reserves a call twice', 'contradiction', [...tree, reserved('k', 'root/b'), reserved('k', 'root/b')]],
    [
      'makes a settled call again',
      'contradiction',
      [...tree, reserved('k', 'root/b'), settled('k', 'root/b'), reserved('k', 'root/b')],
    ],
    [
      'is green by a failed command',
      'contradiction',
      [...tree, { type: 'verify.passed', evidence: evidence('c', 1) }],
    ],
    [
      'ends a landing that was not begun',
      'contradiction',
      [...tree, { type: 'landing.ended', snapshot: 'c', landed: 0, waiting: 0 }],
    ],
  ];

  it.each(cases)('is refused where it %s, and nothing of that event is taken in', (_what, code, bodies) => {
    const events = numbered(bodies);
    const last = events.pop();
    const state = new RunProjection();
    for (const event of events) state.apply(event);
    const before = told(state);
    let thrown: unknown;
    try {
      if (last) state.apply(last);
    } catch (error) {
      thrown = error;
    }
    expect(ProjectionError.is(thrown, code)).toBe(true);
    expect(told(state)).toEqual(before);
  });

  it('is refused where an event is missing or comes twice', () => {
    const [first, second, third] = numbered(tree);
    const state = new RunProjection();
    if (!first || !second || !third) throw new Error('three events are needed');
    state.apply(first);
    for (const wrong of [first, third]) {
      expect(() => {
        state.apply(wrong);
      }).toThrow(ProjectionError);
    }
    state.apply(second);
    expect(state.version).toBe(2);
  });

  it('is refused where a newer version has written what this one does not know', () => {
    // @ts-expect-error -- that is the point
    expect(() => fold(begun, { type: 'run.dreamt' })).toThrow(/run\.dreamt is not known/u);
  });
});
