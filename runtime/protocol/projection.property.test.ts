import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent, RunEventBody } from './events.ts';
import { RunProjection } from './projection.ts';
import { ProjectionError } from './projection-error.ts';
import {
  begun,
  committed,
  created,
  ended,
  evidence,
  handoff,
  lost,
  numbered,
  options,
  parked,
  reserved,
  settled,
  slept,
  started,
  told,
  woke,
} from './projection-samples.ts';
import { ofReview, reviewed } from './projection-review-samples.ts';
import { isTerminal, taskStates } from './tasks.ts';

const task = fc.constantFrom('root', 'root/a', 'root/b', 'root/a/x', 'root/a/y');
const key = fc.constantFrom('k1', 'k2', 'k3');
const parkedId = fc.constantFrom('root/a/x#1.2.0', 'root/b#1.3.0', 'root/b#1.0.1', 'root/b#2.1.0');
const small = fc.integer({ min: 1, max: 3 });

/** Something that may happen, given how far the log has been taken in. Most of it is impossible at most moments. */
type Happening = (position: number) => RunEventBody;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.tuple(task, fc.constantFrom('planner', 'worker')).map(
    ([path, role]): Happening =>
      () =>
        created(path, role),
  ),
  fc.tuple(task, small).map(
    ([path, attempt]): Happening =>
      () =>
        started(path, attempt, 3),
  ),
  task.map(
    (path): Happening =>
      () =>
        slept(path),
  ),
  fc.tuple(task, fc.subarray(['root/a', 'root/b', 'root/a/x'])).map(
    ([path, children]): Happening =>
      () =>
        woke(path, ...children),
  ),
  fc.tuple(task, parkedId).map(([path, id]): Happening => () => ({
    type: 'task.parked',
    task: path,
    parked: id,
    handoff: handoff('p'),
  })),
  fc.tuple(task, small).map(([path, attempt]): Happening => () => ({
    type: 'task.retried',
    task: path,
    attempt,
    mode: 'stalled',
    details: '',
  })),
  fc.tuple(task, fc.constantFrom('done', 'failed')).map(
    ([path, state]): Happening =>
      () =>
        ended(path, state),
  ),
  fc.tuple(task, fc.option(parkedId)).map(
    ([path, id]): Happening =>
      (position) =>
        committed(position, path, id === null ? {} : { resolves: id, mergedPaths: ['src/a.js'] }),
  ),
  fc.tuple(task, parkedId, small, fc.option(parkedId)).map(
    ([path, id, round, replaces]): Happening =>
      (position) =>
        parked(position, path, id, round, replaces ?? undefined),
  ),
  parkedId.map((id): Happening => (position) => ({ type: 'vcs.dropped', position, parked: id, reason: '' })),
  fc.tuple(key, task).map(
    ([name, account]): Happening =>
      () =>
        reserved(name, account),
  ),
  fc.tuple(key, task).map(
    ([name, account]): Happening =>
      () =>
        settled(name, account),
  ),
  fc.tuple(key, task).map(
    ([name, account]): Happening =>
      () =>
        lost(name, account),
  ),
  fc.nat(5).map((commit): Happening => () => ({ type: 'verify.passed', evidence: evidence(`c${commit}`) })),
  ofReview.map(
    (event): Happening =>
      () =>
        event,
  ),
  fc.constant<Happening>(() => ({ type: 'run.resumed', lostCalls: [], notes: [], caps: options.caps })),
);

function accepts(state: RunProjection, event: RunEvent): boolean {
  try {
    state.apply(event);
    return true;
  } catch (error) {
    if (ProjectionError.is(error)) return false;
    throw error;
  }
}

/** A story that could have been: what the fold refuses did not happen. */
function possibleStory(happenings: readonly Happening[]): { events: RunEvent[]; state: RunProjection } {
  const state = new RunProjection();
  const events: RunEvent[] = [];
  const beginning: readonly Happening[] = [
    () => begun,
    () => created('root', 'planner'),
    () => started('root'),
    (position) => committed(position, 'root', { role: 'harness' }),
    () => created('root/a', 'planner'),
    () => created('root/b'),
    ...reviewed.map((event) => () => event),
  ];
  for (const happens of [...beginning, ...happenings]) {
    const [event] = numbered([happens(state.vcsPosition + 1)], state.version + 1);
    if (event && accepts(state, event)) events.push(event);
  }
  return { events, state };
}

/** What a snapshot does not have: settled calls one by one. */
function withoutCalls(seen: ReturnType<typeof told>): unknown {
  return { ...seen, ledger: { ...seen.ledger, settledCalls: undefined } };
}

const story = fc.array(happening, { minLength: 20, maxLength: 120 }).map(possibleStory);

describe('the fold of any possible run', () => {
  it('is the same however often it is looked at in between', () => {
    fc.assert(
      fc.property(story, fc.nat(), ({ events, state }, cut) => {
        const again = new RunProjection();
        events.forEach((event, index) => {
          again.apply(event);
          if (index === cut % events.length) told(again);
        });
        expect(told(again)).toEqual(told(state));
      }),
      { numRuns: 60 },
    );
  });

  it('goes on from a snapshot of any moment, which JSON can carry, as if it had seen everything', () => {
    fc.assert(
      fc.property(story, fc.nat(), ({ events, state }, seed) => {
        const cut = seed % events.length;
        const before = new RunProjection();
        for (const event of events.slice(0, cut)) before.apply(event);
        const text = JSON.stringify(before.snapshot());
        const restored = RunProjection.restore(JSON.parse(text));
        expect(JSON.stringify(restored.snapshot())).toBe(text);
        for (const event of events.slice(cut)) restored.apply(event);
        // What is settled is not in a snapshot one by one; its sums are.
        expect(withoutCalls(told(restored))).toEqual(withoutCalls(told(state)));
      }),
      { numRuns: 100 },
    );
  });

  it('is not changed by events that it refuses', () => {
    fc.assert(
      fc.property(story, happening, ({ events, state }, happens) => {
        const before = told(state);
        const [event] = numbered([happens(state.vcsPosition + 1)], state.version + 1);
        const isTaken = event !== undefined && accepts(state, event);
        expect(isTaken ? state.version : told(state)).toEqual(isTaken ? events.length + 1 : before);
      }),
      { numRuns: 300 },
    );
  });

  it('has counts that agree with the tasks, and none below zero', () => {
    fc.assert(
      fc.property(story, ({ state }) => {
        const nodes = [...state.tasks.values()];
        const { counts } = state;
        const workers = nodes.filter((node) => node.spec.role === 'worker');
        expect(counts).toMatchObject({
          tasks: nodes.length,
          workers: workers.length,
          planners: nodes.length - workers.length,
          workersDone: workers.filter((node) => node.state === 'done').length,
          workersLive: workers.filter((node) => node.state === 'running').length,
          commits: state.head?.sequence,
        });
        expect(counts.workersPeak).toBeGreaterThanOrEqual(counts.workersLive);
        expect(counts.merges).toBeLessThanOrEqual(counts.commits);
        const { raised, resolved, dropped, open } = counts.conflicts;
        expect(open).toBe(state.parked.size);
        expect(raised).toBe(resolved + dropped + open);
        expect(Math.min(resolved, dropped, open)).toBeGreaterThanOrEqual(0);
        for (const name of taskStates) {
          const listed = [...state.tasksIn(name)].toSorted();
          expect(listed).toEqual(
            nodes
              .filter((node) => node.state === name)
              .map((node) => node.path)
              .toSorted(),
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  it('keeps parents and children in step', () => {
    fc.assert(
      fc.property(story, ({ state }) => {
        for (const node of state.tasks.values()) {
          const children = node.children.map((path) => state.task(path));
          expect(children.every((child) => child.parent === node.path)).toBe(true);
          expect(node.unfinishedChildren).toBe(children.filter((child) => !isTerminal(child.state)).length);
          for (const child of node.undelivered) expect(state.fact(child, 'ended')).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('books exactly what was settled, lost, or is open', () => {
    fc.assert(
      fc.property(story, ({ state: { ledger } }) => {
        const spent = [...ledger.settled.values()].reduce((sum, call) => sum + (call.usd ?? 0), 0);
        const bound = [...ledger.open.values(), ...ledger.lost].reduce(
          (sum, call) => sum + (call.usd ?? 0),
          0,
        );
        expect(ledger.booked.usd).toBeCloseTo(spent + bound, 9);
        expect(ledger.subtree('root')).toEqual(ledger.total);
        for (const name of ledger.open.keys()) expect(ledger.settled.has(name)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

const planner = (index: number): string => `root/p${Math.floor(index / 100)}`;

describe('a large run', () => {
  it('of 10,000 tasks and 100,000 events is folded in a moment', () => {
    const bodies: RunEventBody[] = [begun, created('root', 'planner'), started('root')];
    bodies.push(committed(1, 'root', { role: 'harness' }));
    for (let index = 0; index < 10_000; index += 100) {
      bodies.push(created(planner(index), 'planner'), started(planner(index)), slept(planner(index)));
    }
    for (let index = 0; index < 10_000; index += 1) {
      const path = `${planner(index)}/w${index}`;
      bodies.push(created(path), started(path));
      for (const turn of [1, 2, 3]) {
        const name = `worker ${path} 1 ${turn}`;
        bodies.push(reserved(name, path), settled(name, path));
      }
      bodies.push(committed(index + 2, path), ended(path));
    }
    const events = numbered(bodies);
    expect(events.length).toBeGreaterThan(100_000);
    const state = new RunProjection();
    const begin = performance.now();
    for (const event of events) state.apply(event);
    expect(state.counts).toMatchObject({ tasks: 10_101, workersDone: 10_000, commits: 10_000 });
    // It takes 0.2 s; what grows with the square of the run would take minutes.
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});
