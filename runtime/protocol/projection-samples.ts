import type { Conflict } from './change-sets.ts';
import type { Dollars, Evidence, RunEvent, RunEventBody, RunOptions } from './events.ts';
import { RunProjection } from './projection.ts';
import { taskStates, type Handoff, type Role, type TaskPath, type TaskSpec } from './tasks.ts';

/** Events for tests, with what does not matter to them filled in. */
export const options: RunOptions = {
  run: 'r1',
  specPath: '/spec.md',
  specTitle: 'Spec',
  workspace: '/w',
  models: { planner: 'p/big', worker: 'p/small', resolver: 'p/small' },
  caps: { tasks: 100, depth: 5, concurrency: 4 },
  land: true,
  unsandboxed: false,
};

export const begun: RunEventBody = { type: 'run.created', options };

function specOf(task: TaskPath, role: TaskSpec['role']): TaskSpec {
  const name = task.slice(task.lastIndexOf('/') + 1);
  return {
    name,
    role,
    goal: `do ${name}`,
    scope: ['**'],
    shared: [],
    decides: [],
    acceptance: [],
    sections: [],
    dependsOn: [],
  };
}

export function handoff(summary: string): Handoff {
  return {
    status: 'done',
    summary,
    verification: 'unit-tests',
    deviations: [],
    findings: [],
    concerns: [],
  };
}

export function created(task: TaskPath, role: TaskSpec['role'] = 'worker'): RunEventBody {
  return { type: 'task.created', task, spec: specOf(task, role) };
}

export function started(task: TaskPath, attempt = 1, epoch = 1): RunEventBody {
  return { type: 'task.started', task, attempt, epoch, base: 'c0', model: 'p/small' };
}

export function ended(task: TaskPath, state: 'done' | 'failed' | 'cancelled' = 'done'): RunEventBody {
  return { type: 'task.ended', task, state, handoff: handoff(`${task} is ${state}`) };
}

export function slept(task: TaskPath, wake: 'all' | 'each' = 'all'): RunEventBody {
  return { type: 'task.slept', task, wake };
}

export function woke(task: TaskPath, ...handoffs: readonly TaskPath[]): RunEventBody {
  return { type: 'task.woke', task, handoffs };
}

function conflict(task: TaskPath): Conflict {
  return { path: 'src/a.js', kind: 'content', trunkTasks: ['root/other'], task };
}

export function parked(
  position: number,
  task: TaskPath,
  id: string,
  round = 1,
  replaces?: string,
): RunEventBody {
  return {
    type: 'vcs.parked',
    position,
    parked: id,
    task,
    conflicts: [conflict(task)],
    round,
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** The commit at a position of the log; the import is `c0`, at 1. */
export function committed(
  position: number,
  task: TaskPath,
  more: Partial<Extract<RunEventBody, { type: 'vcs.committed' }>> = {},
): RunEventBody {
  return {
    type: 'vcs.committed',
    position,
    commit: `c${position - 1}`,
    task,
    role: 'worker',
    title: 'work',
    paths: ['src/a.js'],
    mergedPaths: [],
    ...more,
  };
}

/** A run with a tree of two levels; the root's planner is awake, and trunk has its import. */
export const tree: readonly RunEventBody[] = [
  begun,
  created('root', 'planner'),
  started('root'),
  created('root/b'),
  created('root/a', 'planner'),
  created('root/a/x'),
  committed(1, 'root', { role: 'harness', title: 'import' }),
];

export function reserved(
  key: string,
  account: string,
  role: Role = 'worker',
  usd: Dollars = 0.5,
): RunEventBody {
  const tokens = 1_000;
  return { type: 'call.reserved', key, account, role, model: 'p/small', tokens, usd };
}

export function settled(key: string, account: string, tokens = 100, usd: Dollars = 0.25): RunEventBody {
  const usage = { inputTokens: tokens, cachedInputTokens: tokens / 2, outputTokens: tokens };
  return { type: 'call.settled', key, account, role: 'worker', model: 'p/small', usage, usd };
}

export function lost(key: string, account: string): RunEventBody {
  const [tokens, usd] = [1_000, 0.5];
  return {
    type: 'call.lost',
    key,
    account,
    role: 'worker',
    model: 'p/small',
    tokens,
    usd,
    reason: 'killed',
  };
}

export function evidence(snapshot: string, exitCode = 0): Evidence {
  return {
    snapshot,
    command: 'npm test',
    exitCode,
    ended: 'exit',
    milliseconds: 10,
    tail: '',
    environment: 'e',
  };
}

export function numbered(bodies: readonly RunEventBody[], start = 1): RunEvent[] {
  return bodies.map((body, index) => ({ ...body, sequence: start + index, time: (start + index) * 1_000 }));
}

export function fold(...bodies: readonly RunEventBody[]): RunProjection {
  const state = new RunProjection();
  for (const event of numbered(bodies)) state.apply(event);
  return state;
}

type Told = { readonly ledger: object } & Readonly<Record<string, unknown>>;

/** Everything a projection tells, as values that can be compared. */
export function told(state: RunProjection): Told {
  const accounts = [...state.tasks.keys(), 'elsewhere'];
  const { byRole, byModel, open, lost: lostCalls, settled: settledCalls, total, booked } = state.ledger;
  return structuredClone({
    version: state.version,
    options: state.options,
    caps: state.caps,
    imported: state.imported,
    status: state.status,
    reasons: state.reasons,
    braked: state.braked,
    worked: state.workedMilliseconds,
    tasks: state.tasks,
    counts: state.counts,
    byState: taskStates.map((name) => Array.from(state.tasksIn(name))),
    undelivered: [...state.tasks.keys()].map((task) => state.undelivered(task)),
    openParked: [...state.tasks.keys()].map((task) => state.openParkedOf(task)),
    decisions: [...state.decisions],
    parked: [...state.parked],
    trunk: [state.head, state.vcsPosition, state.green, state.lastVerification],
    ledger: { byRole, byModel, open, lostCalls, settledCalls, total, booked },
    subtrees: accounts.map((account) => state.ledger.subtree(account)),
    landing: [state.landing, state.landedHashes],
    review: { ...state.review, undecided: state.review.landing?.undecided },
  });
}
