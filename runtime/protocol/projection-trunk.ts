import type { Conflict, ParkedId, SnapshotId } from './change-sets.ts';
import type { Evidence, RunEventBody } from './events.ts';
import { mustHold } from './projection-error.ts';
import type { TaskEntry, TaskTreeProjection } from './projection-tasks.ts';
import type { TaskPath } from './tasks.ts';

/** A change set that waits off trunk. No conflicts: it is held by a freeze. */
export interface OpenParked {
  readonly id: ParkedId;
  readonly task: TaskPath;
  readonly conflicts: readonly Conflict[];
  readonly round: number;
}

/** Counted in change sets, not in files: raised = resolved + dropped + open. */
export interface ConflictCounts {
  readonly raised: number;
  /** Closed by a commit. */
  readonly resolved: number;
  readonly dropped: number;
  readonly open: number;
}

/** The newest state with evidence. `sequence` is its place on trunk, unless the events do not tell it. */
export interface Green {
  readonly snapshot: SnapshotId;
  readonly sequence: number | undefined;
  readonly evidence: Evidence;
  /** When it was verified, in milliseconds since the Unix epoch. */
  readonly time: number;
}

export interface TrunkHead {
  readonly snapshot: SnapshotId;
  readonly sequence: number;
}

type VcsEvent = Extract<RunEventBody, { type: `vcs.${string}` }>;
type EventOf<Type extends VcsEvent['type']> = Extract<VcsEvent, { type: Type }>;

/** Trunk as JSON can carry it. */
export interface TrunkRecord {
  readonly sequences: readonly (readonly [SnapshotId, number])[];
  readonly parked: readonly OpenParked[];
  readonly head: TrunkHead | undefined;
  readonly green: Green | undefined;
  readonly lastVerification: Evidence | undefined;
  readonly position: number;
  readonly commits: number;
  readonly merges: number;
  readonly conflicts: ConflictCounts;
}

/** Trunk and what is parked off it, as the log's records told it. */
export class TrunkProjection {
  readonly #tasks: TaskTreeProjection;
  readonly #sequences = new Map<SnapshotId, number>();
  readonly #parkedByTask = new Map<TaskPath, readonly OpenParked[]>();
  readonly parked: Map<ParkedId, OpenParked> = new Map();
  head: TrunkHead | undefined;
  green: Green | undefined;
  lastVerification: Evidence | undefined;
  position = 0;
  commits = 0;
  merges = 0;
  #raised = 0;
  #resolved = 0;
  #dropped = 0;

  constructor(tasks: TaskTreeProjection) {
    this.#tasks = tasks;
  }

  get conflicts(): ConflictCounts {
    const [raised, resolved, dropped] = [this.#raised, this.#resolved, this.#dropped];
    return { raised, resolved, dropped, open: raised - resolved - dropped };
  }

  snapshot(): TrunkRecord {
    const { head, green, lastVerification, position, commits, merges, conflicts } = this;
    const parked = [...this.parked.values()];
    return {
      sequences: [...this.#sequences],
      parked,
      head,
      green,
      lastVerification,
      position,
      commits,
      merges,
      conflicts,
    };
  }

  /** Of a trunk without a past. */
  restore(record: TrunkRecord): void {
    for (const [snapshot, sequence] of record.sequences) this.#sequences.set(snapshot, sequence);
    for (const set of record.parked) {
      this.parked.set(set.id, set);
      this.#parkedByTask.set(set.task, [...(this.#parkedByTask.get(set.task) ?? []), set]);
    }
    const { head, green, lastVerification, position, commits, merges } = record;
    Object.assign(this, { head, green, lastVerification, position, commits, merges });
    this.#raised = record.conflicts.raised;
    this.#resolved = record.conflicts.resolved;
    this.#dropped = record.conflicts.dropped;
  }

  openParkedOf(task: TaskPath): OpenParked | undefined {
    return this.#parkedByTask.get(task)?.[0];
  }

  sequenceOf(snapshot: SnapshotId): number | undefined {
    return this.#sequences.get(snapshot);
  }

  /** Told by the log and by the run; whichever comes first. */
  import(snapshot: SnapshotId): void {
    this.#sequences.set(snapshot, 0);
    this.head ??= { snapshot, sequence: 0 };
  }

  /** Green only moves forward: evidence for an older state than the present green is kept as the last verification. */
  verified(evidence: Evidence, passed: boolean, time: number): void {
    const { snapshot } = evidence;
    if (passed) {
      mustHold(evidence.ended === 'exit' && evidence.exitCode === 0, 'a failed command makes no green', {
        snapshot,
        ended: evidence.ended,
      });
      const sequence = this.sequenceOf(snapshot);
      if ((sequence ?? Infinity) >= (this.green?.sequence ?? 0))
        this.green = { snapshot, sequence, evidence, time };
    }
    this.lastVerification = evidence;
  }

  apply(event: VcsEvent, sequence: number): void {
    const { position } = event;
    const due = this.position + 1;
    mustHold(position === due, 'a log record is missing, or was taken in before', { position, due });
    switch (event.type) {
      case 'vcs.committed':
        this.#commit(event, sequence);
        break;
      case 'vcs.parked':
        this.#park(event, sequence);
        break;
      case 'vcs.dropped':
        this.#drop(event, sequence);
        break;
      case 'vcs.rejected':
        this.#tasks.get(event.task).changedAt = sequence;
        break;
      case 'vcs.fenced': {
        const entry = this.#tasks.get(event.task);
        entry.epoch = Math.max(entry.epoch, event.epoch);
        entry.changedAt = sequence;
        break;
      }
      default:
        event satisfies never;
    }
    this.position = position;
  }

  /** The log begins with the import, and each commit follows on the one before it. */
  #commit(event: EventOf<'vcs.committed'>, sequence: number): void {
    const { commit, resolves } = event;
    if (event.position === 1) {
      this.import(commit);
      return;
    }
    mustHold(this.head !== undefined, 'trunk has no import to begin with', { commit });
    const settled = resolves === undefined ? undefined : this.#mustBeOpen(resolves);
    const author = this.#author(event, settled);
    this.head = { snapshot: commit, sequence: this.head.sequence + 1 };
    this.#sequences.set(commit, this.head.sequence);
    const merged = event.mergedPaths.length > 0 ? 1 : 0;
    this.commits += 1;
    this.merges += merged;
    if (author) {
      author.commits += 1;
      author.merged += merged;
      author.facts.add('committed');
      author.changedAt = sequence;
    }
    if (!settled) return;
    this.#close(settled, sequence).facts.add('committed');
    if (settled.conflicts.length > 0) this.#resolved += 1;
  }

  /** The harness and the user commit for tasks that need not be nodes of the tree; a resolver commits for the parked task. */
  #author(event: EventOf<'vcs.committed'>, settled: OpenParked | undefined): TaskEntry | undefined {
    const known = this.#tasks.nodes.get(event.task);
    if (known || event.role === 'harness' || event.role === 'user') return known;
    return this.#tasks.get(settled?.task ?? event.task);
  }

  #park(event: EventOf<'vcs.parked'>, sequence: number): void {
    const { parked: id, task, conflicts, round, replaces } = event;
    const entry = this.#tasks.get(task);
    mustHold(!this.parked.has(id), 'the set is already parked', { parked: id });
    const set = { id, task, conflicts, round };
    const others = this.#parkedByTask.get(task) ?? [];
    const before = replaces === undefined ? undefined : this.#mustBeOpen(replaces);
    mustHold(before === undefined || before.task === task, 'a set is replaced by one of its own task', {
      parked: id,
    });
    if (before) this.parked.delete(before.id);
    this.parked.set(id, set);
    this.#parkedByTask.set(task, [...others.filter((other) => other !== before), set]);
    const wasConflict = (before?.conflicts.length ?? 0) > 0;
    if (conflicts.length > 0 && !wasConflict) {
      this.#raised += 1;
      entry.conflicts += 1;
    }
    // A conflict whose replacement merely waits for a freeze is no conflict any more, and was settled by nobody.
    if (conflicts.length === 0 && wasConflict) this.#dropped += 1;
    entry.facts.add('parked');
    if (before && entry.parked === before.id) entry.parked = id;
    entry.changedAt = sequence;
  }

  #drop(event: EventOf<'vcs.dropped'>, sequence: number): void {
    const set = this.#mustBeOpen(event.parked);
    this.#close(set, sequence);
    if (set.conflicts.length > 0) this.#dropped += 1;
  }

  #mustBeOpen(id: ParkedId): OpenParked {
    const set = this.parked.get(id);
    mustHold(set !== undefined, 'the set is not parked', { parked: id });
    return set;
  }

  #close(set: OpenParked, sequence: number): TaskEntry {
    this.parked.delete(set.id);
    const others = (this.#parkedByTask.get(set.task) ?? []).filter((other) => other !== set);
    if (others.length > 0) this.#parkedByTask.set(set.task, others);
    else this.#parkedByTask.delete(set.task);
    const entry = this.#tasks.get(set.task);
    entry.changedAt = sequence;
    return entry;
  }
}
