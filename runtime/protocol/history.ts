import type { Conflict, ParkedId, SnapshotId } from './change-sets.ts';
import type { RunEvent } from './events.ts';
import type { FailureMode, Role, TaskPath, TaskState } from './tasks.ts';

/** A commit on trunk. Times are milliseconds since the Unix epoch. */
export interface CommitRecord {
  readonly commit: SnapshotId;
  readonly task: TaskPath;
  readonly role: Role | 'harness' | 'user';
  readonly title: string;
  readonly paths: readonly string[];
  readonly mergedPaths: readonly string[];
  readonly time: number;
}

/** One agent of a task. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly epoch: number;
  readonly model: string;
  readonly started: number;
  readonly end:
    | { readonly kind: 'running' }
    | { readonly kind: 'ended'; readonly state: TaskState; readonly time: number }
    | {
        readonly kind: 'given-up';
        readonly mode: FailureMode;
        readonly details: string;
        readonly time: number;
      };
}

export interface TaskHistory {
  /** Oldest first. */
  readonly attempts: readonly AttemptRecord[];
  /** What it has brought to trunk, oldest first. */
  readonly commits: readonly CommitRecord[];
}

export type ConflictOutcome =
  | { readonly kind: 'open' }
  | { readonly kind: 'resolved'; readonly commit: CommitRecord }
  | { readonly kind: 'dropped'; readonly reason: string; readonly time: number }
  /** A later change set of the task has none. */
  | { readonly kind: 'gone'; readonly time: number };

/** A conflict from the change set that ran into it to the commit that settled it. */
export interface ConflictRecord {
  /** The newest set that carries it. */
  readonly parked: ParkedId;
  readonly task: TaskPath;
  readonly conflicts: readonly Conflict[];
  /** Rounds of resolution that were begun. */
  readonly round: number;
  readonly raised: number;
  readonly outcome: ConflictOutcome;
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/**
 * What `RunProjection` only counts, one by one: attempts, commits and conflicts. A fold over the same events; it is asked
 * for what is looked at, and not sent whole.
 */
export class RunHistory {
  #version = 0;
  readonly #attempts = new Map<TaskPath, AttemptRecord[]>();
  readonly #commits: CommitRecord[] = [];
  readonly #commitsOf = new Map<TaskPath, CommitRecord[]>();
  readonly #conflicts: ConflictRecord[] = [];
  /** Places in `#conflicts` of those that are open. */
  readonly #open = new Map<ParkedId, number>();

  /** The newest event that was taken in. */
  get version(): number {
    return this.#version;
  }

  task(path: TaskPath): TaskHistory {
    return { attempts: this.#attempts.get(path) ?? [], commits: this.#commitsOf.get(path) ?? [] };
  }

  /** Oldest first. */
  get conflicts(): readonly ConflictRecord[] {
    return this.#conflicts;
  }

  /** Commits that changed something below a folder, oldest first. */
  commitsBelow(folder: string): readonly CommitRecord[] {
    return this.#commits.filter(({ paths }) => paths.some((path) => path.startsWith(`${folder}/`)));
  }

  /** Those that are known already are passed over. */
  apply(event: RunEvent): void {
    if (event.sequence <= this.#version) return;
    this.#version = event.sequence;
    this.#applyToTask(event);
    this.#applyToTrunk(event);
  }

  #applyToTask(event: RunEvent): void {
    const { type, time } = event;
    if (type === 'task.started') this.#start(event);
    if (type === 'task.woke') this.#wake(event.task);
    if (type === 'task.ended') this.#endAttempt(event.task, { kind: 'ended', state: event.state, time });
    if (type === 'task.retried') {
      const { mode, details } = event;
      this.#endAttempt(event.task, { kind: 'given-up', mode, details, time });
    }
  }

  #applyToTrunk(event: RunEvent): void {
    const { type, time } = event;
    if (type === 'vcs.committed') this.#commit(event);
    if (type === 'vcs.parked') this.#park(event);
    if (type === 'vcs.dropped') this.#settle(event.parked, { kind: 'dropped', reason: event.reason, time });
  }

  #start({ task, attempt, epoch, model, time }: EventOf<'task.started'>): void {
    const record: AttemptRecord = { attempt, epoch, model, started: time, end: { kind: 'running' } };
    this.#attempts.set(task, [...(this.#attempts.get(task) ?? []), record]);
  }

  /** A planner that had ended is woken by a late handoff: it is the same agent. */
  #wake(task: TaskPath): void {
    const attempts = this.#attempts.get(task);
    const last = attempts?.at(-1);
    if (attempts && last) attempts[attempts.length - 1] = { ...last, end: { kind: 'running' } };
  }

  /** A task that is cancelled before it starts has no attempt that could end. */
  #endAttempt(task: TaskPath, end: AttemptRecord['end']): void {
    const attempts = this.#attempts.get(task);
    const last = attempts?.at(-1);
    if (attempts && last?.end.kind === 'running') attempts[attempts.length - 1] = { ...last, end };
  }

  #commit({ commit, task, role, title, paths, mergedPaths, time, resolves }: EventOf<'vcs.committed'>): void {
    const record: CommitRecord = { commit, task, role, title, paths, mergedPaths, time };
    this.#commits.push(record);
    this.#commitsOf.set(task, [...(this.#commitsOf.get(task) ?? []), record]);
    if (resolves !== undefined) this.#settle(resolves, { kind: 'resolved', commit: record });
  }

  #park({ parked, task, conflicts, round, replaces, time }: EventOf<'vcs.parked'>): void {
    const before = replaces === undefined ? undefined : this.#open.get(replaces);
    if (conflicts.length === 0) {
      if (replaces !== undefined) this.#settle(replaces, { kind: 'gone', time });
      return;
    }
    if (replaces !== undefined) this.#open.delete(replaces);
    const raised = (before === undefined ? undefined : this.#conflicts[before]?.raised) ?? time;
    const place = before ?? this.#conflicts.length;
    this.#conflicts[place] = { parked, task, conflicts, round, raised, outcome: { kind: 'open' } };
    this.#open.set(parked, place);
  }

  /** A set that was held without a conflict is not on record. */
  #settle(parked: ParkedId, outcome: ConflictOutcome): void {
    const place = this.#open.get(parked);
    const record = place === undefined ? undefined : this.#conflicts[place];
    if (place === undefined || !record) return;
    this.#open.delete(parked);
    this.#conflicts[place] = { ...record, outcome };
  }
}
