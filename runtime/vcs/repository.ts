import type {
  Change,
  ChangeSet,
  FileEntry,
  FileMode,
  ParkedId,
  ParkedSet,
  SnapshotId,
  SubmitOutcome,
  SubmitRequest,
} from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import type { LogRecord } from './log-record.ts';
import type { ConflictAnswer } from './resolution.ts';

/** An immutable state of trunk. */
export interface Snapshot extends FileTree {
  readonly id: SnapshotId;
  /** Commits before it on trunk: 0 for the import that trunk starts with. */
  readonly sequence: number;
  /** A hash of content, names and modes alone: equal for equal trees, whatever their history. 64 hex digits. */
  treeHash(): string;
  /** Paths whose entry differs between `other` and this, sorted. Cheap where subtrees are shared. */
  changedSince(other: Snapshot): readonly string[];
}

export interface SyncResult {
  /** False when an own edit cannot be merged with trunk: then nothing changed, and `conflicts` names the paths. */
  readonly moved: boolean;
  readonly base: SnapshotId;
  /** Paths that others changed between the old base and the new one. */
  readonly changed: readonly string[];
  /** Those of them where an own edit was merged with trunk's. */
  readonly merged: readonly string[];
  readonly conflicts: readonly string[];
}

/** What one worker sees: a base snapshot plus its own edits. Reads, search and commands all use it. */
export interface View extends FileTree {
  readonly base: Snapshot;
  /**
   * Keeps the mode of an existing file when none is given.
   * @throws VcsError `bad-path`, `protected-path`, `path-taken` (a folder is there, or a file is in the way of a folder)
   */
  write(path: string, content: Uint8Array, mode?: FileMode): void;
  /** @throws VcsError `no-such-file` */
  delete(path: string): void;
  /** Keeps content and mode. @throws VcsError `no-such-file`, and what `write` throws */
  move(from: string, to: string): Promise<void>;
  /** Own edits that differ from the base, sorted by path. */
  edits(): readonly Change[];
  changeSet(): ChangeSet;
  /** After an accepted submit: the base becomes `commit`, and the edits that were submitted are gone. */
  advance(commit: SnapshotId): void;
  /** Brings the base to trunk's head and merges own edits onto it. */
  sync(): Promise<SyncResult>;
}

/** Trunk, its history and what is parked. One process opens it at a time. */
export interface Repository {
  /** The newest durable state of trunk. */
  head(): Snapshot;
  /** @throws VcsError `unknown-snapshot` */
  snapshot(id: SnapshotId): Snapshot;
  /** A view with the given edits on it, as after a resume. */
  openView(base: SnapshotId, edits?: readonly Change[]): View;
  /**
   * Offers a change set; resolves when the outcome is durable. Never waits for another agent. Repeating a submit id
   * gives the first outcome. @throws VcsError `io` (the log can no longer be written; nothing was acknowledged), `closed`
   */
  submit(request: SubmitRequest): Promise<SubmitOutcome>;
  /** From now on submits of `task` with a lower epoch are rejected. Durable when resolved. */
  fence(task: TaskPath, epoch: number, reason: string): Promise<void>;
  /** Gives a parked set up, by a recorded decision. @throws VcsError `not-parked` */
  drop(parked: ParkedId, by: TaskPath, reason: string): Promise<void>;
  /**
   * Oldest first. One for each epoch of a task at most: a later submit of the epoch takes the place of its set, at the
   * end. What was parked before a fence stays until it is settled or dropped, beside what the next epoch parks.
   */
  parked(): readonly ParkedSet[];
  /**
   * A parked set with its conflicts settled, to be submitted as a resolution: against the trunk that it conflicted with,
   * `answers` by path for each of its conflicts, everything else merged as trunk merges it, content and mode. A written
   * answer has the mode that a side changed on purpose.
   * @throws VcsError `not-parked`, `bad-path` (a conflict without an answer, or an answer without a conflict)
   */
  resolution(parked: ParkedId, answers: ReadonlyMap<string, ConflictAnswer>): Promise<ChangeSet>;
  /** The bytes of an entry that a record or a conflict names, on trunk or not. @throws VcsError `no-such-blob` */
  blob(entry: FileEntry): Promise<Uint8Array>;
  /** Durable records after `position` (0: all), in order. */
  records(after: number): readonly LogRecord[];
  /** Calls `listener` with each record once it is durable, in order. Returns the way to stop. */
  subscribe(listener: (record: LogRecord) => void): () => void;
  /** What opening found and mended: a torn tail, quarantined segments; one line each. */
  readonly reports: readonly string[];
  close(): Promise<void>;
}
