import type { ParkedId, SnapshotId } from './change-sets.ts';
import type { Caps, Evidence, RunEvent, RunOptions, RunStatus } from './events.ts';
import { mustHold, ProjectionError } from './projection-error.ts';
import { LandingProjection, type Landing } from './projection-landing.ts';
import type { ReviewState } from './projection-review.ts';
import { LedgerProjection, type Ledger } from './projection-ledger.ts';
import {
  TrunkProjection,
  type ConflictCounts,
  type Green,
  type OpenParked,
  type TrunkHead,
} from './projection-trunk.ts';
import { TaskTreeProjection, type TaskNode } from './projection-tasks.ts';
import type { RunSnapshot } from './run-snapshot.ts';
import type { Decision, TaskPath, TaskState } from './tasks.ts';

export interface RunCounts {
  readonly tasks: number;
  readonly planners: number;
  readonly workers: number;
  /** Tasks of workers that are done. */
  readonly workersDone: number;
  /** Workers whose agent runs now, and the most there were at once. */
  readonly workersLive: number;
  readonly workersPeak: number;
  /** Edges from the root to the deepest task. */
  readonly depth: number;
  /** On trunk, without the import it starts with. */
  readonly commits: number;
  /** Commits that were merged with others' edits. */
  readonly merges: number;
  readonly conflicts: ConflictCounts;
}

/**
 * The state of a run at one moment: a fold over its events. Read-only and live; `version` tells whether it has
 * changed, `TaskNode.changedAt` which tasks have.
 */
export interface RunState {
  /** The sequence number of the newest event that was taken in; 0 before the first. */
  readonly version: number;
  /** With the caps of the newest session. */
  readonly options: RunOptions | undefined;
  readonly caps: Caps | undefined;
  /** True once trunk has the import it starts with. */
  readonly imported: boolean;
  readonly status: RunStatus | 'empty' | 'running';
  /** Why it ended as it did. */
  readonly reasons: readonly string[];
  /** Why no new work is started, until the run is resumed. */
  readonly braked: string | undefined;
  /** True while the user holds it: no model call is begun. */
  readonly paused: boolean;
  /** Wall clock over all sessions, as far as events tell it: the time between a kill and a resume does not count, nor that of a pause. */
  readonly workedMilliseconds: number;
  /** By path, in the order of their creation. */
  readonly tasks: ReadonlyMap<TaskPath, TaskNode>;
  readonly counts: RunCounts;
  /** In the order in which they came into the state. */
  tasksIn(state: TaskState): ReadonlySet<TaskPath>;
  /** @throws ProjectionError `unknown-task` */
  task(path: TaskPath): TaskNode;
  /** Terminal children whose handoff the planner has not been woken with, sorted. */
  undelivered(planner: TaskPath): readonly TaskPath[];
  /** The name of a fact is `started`, `committed`, `parked` or `ended`. False for a task that does not exist (yet). */
  fact(task: TaskPath, name: string): boolean;
  /** Newest revision by question, in the order in which the questions were first decided. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly parked: ReadonlyMap<ParkedId, OpenParked>;
  /** The oldest set of the task that waits off trunk; undefined once all are resolved or dropped. */
  openParkedOf(task: TaskPath): OpenParked | undefined;
  readonly head: TrunkHead | undefined;
  /** The last log record that was taken in: the highest `position` of a `vcs.*` event. */
  readonly vcsPosition: number;
  readonly green: Green | undefined;
  readonly lastVerification: Evidence | undefined;
  /** Commits before the snapshot on trunk; undefined when no event names it. */
  sequenceOf(snapshot: SnapshotId): number | undefined;
  readonly ledger: Ledger;
  readonly landing: Landing | undefined;
  /** The hash of each file on trunk as we last landed it, by path; null where we deleted it. */
  readonly landedHashes: ReadonlyMap<string, string | null>;
  /** Landings that are offered for review, file by file. */
  readonly review: ReviewState;
}

type EventOf<Area extends string> = Extract<RunEvent, { type: `${Area}.${string}` }>;

/**
 * Folds a run's events, one by one and in place: a run has 10,000 tasks and 100,000 events, and copying a map for each
 * would be quadratic. A view that shows an earlier moment makes a new projection and feeds it fewer events.
 *
 * A journal that contradicts itself must be loud: `apply` throws a ProjectionError, and nothing of that event is taken in.
 */
export class RunProjection implements RunState {
  readonly #tasks = new TaskTreeProjection();
  readonly #trunk = new TrunkProjection(this.#tasks);
  readonly #landing = new LandingProjection();
  readonly #decisions = new Map<string, Decision>();
  readonly ledger: LedgerProjection = new LedgerProjection();
  #version = 0;
  #options: RunOptions | undefined;
  #imported = false;
  #status: RunState['status'] = 'empty';
  #reasons: readonly string[] = [];
  #braked: string | undefined;
  #paused = false;
  #earlierSessions = 0;
  #sessionStart = 0;
  #lastTime = 0;

  snapshot(): RunSnapshot {
    return {
      version: this.#version,
      options: this.#options,
      imported: this.#imported,
      status: this.#status,
      reasons: this.#reasons,
      braked: this.#braked,
      paused: this.#paused,
      clock: { earlier: this.#earlierSessions, start: this.#sessionStart, last: this.#lastTime },
      tree: this.#tasks.snapshot(),
      decisions: [...this.#decisions.values()],
      trunk: this.#trunk.snapshot(),
      ledger: this.ledger.snapshot(),
      landing: this.#landing.snapshot(),
    };
  }

  /** A projection that goes on from a snapshot; its `ledger.settled` begins empty. */
  static restore(snapshot: RunSnapshot): RunProjection {
    const projection = new RunProjection();
    projection.#version = snapshot.version;
    projection.#options = snapshot.options;
    projection.#imported = snapshot.imported;
    projection.#status = snapshot.status;
    projection.#reasons = snapshot.reasons;
    projection.#braked = snapshot.braked;
    projection.#paused = snapshot.paused;
    projection.#earlierSessions = snapshot.clock.earlier;
    projection.#sessionStart = snapshot.clock.start;
    projection.#lastTime = snapshot.clock.last;
    projection.#tasks.restore(snapshot.tree);
    for (const decision of snapshot.decisions) projection.#decisions.set(decision.question, decision);
    projection.#trunk.restore(snapshot.trunk);
    projection.ledger.restore(snapshot.ledger);
    projection.#landing.restore(snapshot.landing);
    return projection;
  }

  /** @throws ProjectionError */
  apply(event: RunEvent): void {
    const expected = this.#version + 1;
    if (event.sequence !== expected) {
      throw new ProjectionError('gap', `event ${event.sequence} came where ${expected} was due`, {
        sequence: event.sequence,
        expected,
      });
    }
    const isFirst = event.type === 'run.created';
    mustHold(isFirst === (this.#options === undefined), 'a run begins once, with its creation', {
      sequence: event.sequence,
      event: event.type,
    });
    this.#dispatch(event);
    this.#version = event.sequence;
    // The clock may go backwards; the time worked may not. A landing is no work of the run: it may come days later.
    if (!isOfLanding(event) && !this.#paused) this.#lastTime = Math.max(this.#lastTime, event.time);
  }

  #dispatch(event: RunEvent): void {
    if (isOfLanding(event)) {
      this.#landing.apply(event);
      return;
    }
    switch (event.type) {
      case 'run.created':
      case 'run.resumed':
      case 'run.imported':
      case 'run.braked':
      case 'run.paused':
      case 'run.continued':
      case 'run.ended':
        this.#changeRun(event);
        break;
      case 'task.created':
      case 'task.started':
      case 'task.slept':
      case 'task.woke':
      case 'task.parked':
      case 'task.retried':
      case 'task.ended':
        this.#tasks.apply(event, event.sequence);
        break;
      case 'decision.recorded':
        this.#decide(event.decision);
        break;
      case 'vcs.committed':
      case 'vcs.parked':
      case 'vcs.rejected':
      case 'vcs.dropped':
      case 'vcs.fenced':
        this.#trunk.apply(event, event.sequence);
        break;
      case 'call.reserved':
      case 'call.settled':
      case 'call.lost':
      case 'call.released':
        this.#book(event);
        break;
      case 'command.ran':
        this.#tasks.touch(event.task, event.sequence);
        break;
      case 'verify.passed':
      case 'verify.failed':
        this.#trunk.verified(event.evidence, event.type === 'verify.passed', event.time);
        break;
      default:
        refuse(event);
    }
  }

  #changeRun(event: EventOf<'run'>): void {
    switch (event.type) {
      case 'run.created':
        this.#options = event.options;
        this.#beginSession(event.time);
        break;
      case 'run.resumed':
        if (this.#options) this.#options = { ...this.#options, ...event.options, caps: event.caps };
        this.#earlierSessions = this.workedMilliseconds;
        this.#beginSession(event.time);
        break;
      case 'run.paused':
        mustHold(!this.#paused, 'a run that is paused is not paused again', { sequence: event.sequence });
        this.#lastTime = Math.max(this.#lastTime, event.time);
        this.#paused = true;
        break;
      case 'run.continued':
        mustHold(this.#paused, 'only a paused run is continued', { sequence: event.sequence });
        this.#endPause(event.time);
        break;
      case 'run.imported':
        this.#trunk.import(event.snapshot);
        this.#imported = true;
        break;
      case 'run.braked':
        this.#braked = event.reason;
        break;
      case 'run.ended':
        if (this.#paused) this.#endPause(event.time);
        this.#status = event.status;
        this.#reasons = event.reasons;
        break;
      default:
        event satisfies never;
    }
  }

  #endPause(time: number): void {
    this.#earlierSessions = this.workedMilliseconds;
    this.#sessionStart = time;
    this.#lastTime = time;
    this.#paused = false;
  }

  #beginSession(time: number): void {
    this.#status = 'running';
    this.#reasons = [];
    this.#braked = undefined;
    this.#paused = false;
    this.#sessionStart = time;
    this.#lastTime = time;
  }

  #decide(decision: Decision): void {
    const { question, revision } = decision;
    const before = this.#decisions.get(question)?.revision ?? 0;
    mustHold(revision > before, 'a revision is newer than the one before', { question, revision, before });
    this.#decisions.set(question, decision);
  }

  #book(event: EventOf<'call'>): void {
    this.ledger.apply(event);
    if (event.type !== 'call.reserved') return;
    const entry = this.#tasks.nodes.get(event.account);
    if (!entry) return;
    entry.lastRole = event.role;
    entry.changedAt = event.sequence;
  }

  get version(): number {
    return this.#version;
  }
  get options(): RunOptions | undefined {
    return this.#options;
  }
  get caps(): Caps | undefined {
    return this.#options?.caps;
  }
  get imported(): boolean {
    return this.#imported;
  }
  get status(): RunState['status'] {
    return this.#status;
  }
  get reasons(): readonly string[] {
    return this.#reasons;
  }
  get braked(): string | undefined {
    return this.#braked;
  }
  get paused(): boolean {
    return this.#paused;
  }
  get workedMilliseconds(): number {
    return this.#earlierSessions + this.#lastTime - this.#sessionStart;
  }
  get tasks(): ReadonlyMap<TaskPath, TaskNode> {
    return this.#tasks.nodes;
  }
  get decisions(): ReadonlyMap<string, Decision> {
    return this.#decisions;
  }
  get parked(): ReadonlyMap<ParkedId, OpenParked> {
    return this.#trunk.parked;
  }
  get head(): TrunkHead | undefined {
    return this.#trunk.head;
  }
  get vcsPosition(): number {
    return this.#trunk.position;
  }
  get green(): Green | undefined {
    return this.#trunk.green;
  }
  get lastVerification(): Evidence | undefined {
    return this.#trunk.lastVerification;
  }
  get landing(): Landing | undefined {
    return this.#landing.newest;
  }
  get landedHashes(): ReadonlyMap<string, string | null> {
    return this.#landing.hashes;
  }
  get review(): ReviewState {
    return this.#landing.review;
  }

  get counts(): RunCounts {
    const { planners, workers, workersDone, workersLive, workersPeak, depth } = this.#tasks;
    const { commits, merges, conflicts } = this.#trunk;
    const tasks = this.#tasks.nodes.size;
    return {
      tasks,
      planners,
      workers,
      workersDone,
      workersLive,
      workersPeak,
      depth,
      commits,
      merges,
      conflicts,
    };
  }

  tasksIn(state: TaskState): ReadonlySet<TaskPath> {
    return this.#tasks.byState[state];
  }
  task(path: TaskPath): TaskNode {
    return this.#tasks.get(path);
  }
  undelivered(planner: TaskPath): readonly TaskPath[] {
    return [...this.#tasks.get(planner).undelivered].toSorted();
  }
  fact(task: TaskPath, name: string): boolean {
    return this.#tasks.nodes.get(task)?.facts.has(name) ?? false;
  }
  openParkedOf(task: TaskPath): OpenParked | undefined {
    return this.#trunk.openParkedOf(task);
  }
  sequenceOf(snapshot: SnapshotId): number | undefined {
    return this.#trunk.sequenceOf(snapshot);
  }
}

function isOfLanding(event: RunEvent): event is EventOf<'landing'> {
  return event.type.startsWith('landing.');
}

/** A journal of a newer version holds types that this one does not know. */
function refuse(event: never): never {
  const { type } = event as { type: string };
  throw new ProjectionError('unknown-event', `the event type ${type} is not known`, { type });
}
