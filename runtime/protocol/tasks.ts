/** The place of a task in the tree: names joined by '/', the root is 'root': `root/storage/pages`. */
export type TaskPath = string;

/** Roles that hold an agent. */
export type Role = 'planner' | 'resolver' | 'worker';

/** The task above, or undefined for the root. */
export function parentTask(task: TaskPath): TaskPath | undefined {
  const cut = task.lastIndexOf('/');
  return cut < 0 ? undefined : task.slice(0, cut);
}

/** True when `task` is `ancestor` or lies below it. */
export function isWithinTask(task: TaskPath, ancestor: TaskPath): boolean {
  return task === ancestor || task.startsWith(`${ancestor}/`);
}

/** Edges between the root and the task: 0 for the root. */
export function taskDepth(task: TaskPath): number {
  return task.split('/').length - 1;
}

/** Who did something: enough to trace a line on trunk back to it. */
export interface Provenance {
  readonly run: string;
  readonly task: TaskPath;
  /** Rises with each takeover; 1 is the first agent of the task. */
  readonly attempt: number;
  readonly role: Role | 'harness' | 'user';
  /** `provider/name` of the model, or '' where no model was involved. */
  readonly model: string;
  /** Decisions that bound the work, as `question@revision`. */
  readonly decisions: readonly string[];
  /** One line: what was changed. */
  readonly title: string;
}

/** How the work was verified, strongest first. */
type Verification =
  | 'seen-live'
  | 'unit-tests'
  | 'types-only'
  | 'verifier-blocked'
  | 'verifier-failed'
  | 'not-verified';

/** Why an agent did not end with a handoff of its own. */
export type FailureMode =
  | 'turn-limit'
  | 'stalled'
  | 'looping'
  | 'context-overflow'
  | 'output-limit'
  | 'model-error'
  | 'budget'
  | 'cancelled'
  | 'parked-without-resolution'
  | 'unknown';

/** The only way up the tree. Each list holds short sentences; sizes are capped where it is made. */
export interface Handoff {
  readonly status: 'done' | 'partial' | 'blocked' | 'failed';
  readonly summary: string;
  readonly verification: Verification;
  readonly deviations: readonly string[];
  readonly findings: readonly string[];
  readonly concerns: readonly string[];
  /** Present when the harness wrote it because the agent could not. */
  readonly synthetic?: FailureMode;
}

/** Where a task stands. `parked`: its change set waits off trunk; the task is not done before that lands. */
export type TaskState = (typeof taskStates)[number];

export const taskStates = [
  'waiting',
  'running',
  'sleeping',
  'parked',
  'done',
  'failed',
  'cancelled',
] as const;

export function isTerminal(state: TaskState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** What a planner asks for: one node of the tree. */
export interface TaskSpec {
  /** Lower-case letters, digits and dashes; unique among its siblings. */
  readonly name: string;
  readonly role: 'planner' | 'worker';
  readonly goal: string;
  /** Paths that only this task changes: `src/lexer.js`, `src/sql/**`, or `**` for everything. */
  readonly scope: readonly string[];
  /** Paths that siblings may change too; each of them must declare it. */
  readonly shared: readonly string[];
  /** Design questions that this subtree decides; no two siblings may name the same. */
  readonly decides: readonly string[];
  readonly acceptance: readonly string[];
  /** Ids of the spec's sections that the task needs. */
  readonly sections: readonly string[];
  /** Names of siblings whose work must be on trunk first; their handoffs are given to the task. */
  readonly dependsOn: readonly string[];
}

/** When a sleeping planner is woken: at each child's handoff, or once all children are terminal. */
export type WakePolicy = 'each' | 'all';

export interface Plan {
  readonly wake: WakePolicy;
  readonly tasks: readonly TaskSpec[];
}

/** A numbered answer to one design question. */
export interface Decision {
  /** Lower-case words joined by dashes: `row-format`. */
  readonly question: string;
  readonly revision: number;
  readonly choice: string;
  readonly why: string;
  readonly owner: TaskPath;
}
