import type { Provenance, TaskPath } from './tasks.ts';

/** The hash of a commit record on trunk, 64 hex digits. It names the tree as that commit left it. */
export type SnapshotId = string;
/** SHA-256 of a file's bytes, 64 hex digits. */
export type BlobHash = string;
/**
 * The submit id that parked the set. An epoch of a task has at most one, and a later submit of it replaces it; sets that
 * earlier epochs parked stay.
 */
export type ParkedId = string;

export type FileMode = 'file' | 'executable' | 'symlink';

/** One file in a tree. A symbolic link's content is its target. */
export interface FileEntry {
  readonly hash: BlobHash;
  readonly mode: FileMode;
  /** Bytes. */
  readonly size: number;
}

/** What a change set does to one path. Bytes are kept as they are: encoding, line ends, final newline. */
export type Change =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly mode: FileMode;
      readonly content: Uint8Array;
      /** The path it was moved from; that path has a `delete` of its own in the same set. */
      readonly movedFrom?: string;
    }
  | { readonly kind: 'delete'; readonly path: string };

/** What one agent wants to change, against a base snapshot. At most one change a path, sorted by path. */
export interface ChangeSet {
  readonly base: SnapshotId;
  readonly changes: readonly Change[];
}

/** Names one submit call. Repeating it returns the first outcome. */
export interface SubmitId {
  readonly task: TaskPath;
  readonly epoch: number;
  readonly turn: number;
  readonly call: number;
}

export function formatSubmitId(id: SubmitId): string {
  return `${id.task}#${id.epoch}.${id.turn}.${id.call}`;
}

export type SubmitIntent =
  | { readonly kind: 'work' }
  /** A licensed change outside the scope; the reason stands at the place too. */
  | { readonly kind: 'breakage'; readonly reason: string }
  /** Replaces a parked set; the set is closed when this one is accepted. */
  | { readonly kind: 'resolution'; readonly parked: ParkedId }
  /** Written by the harness itself: decisions, imports. Scope does not apply. */
  | { readonly kind: 'harness' };

export interface SubmitRequest {
  readonly id: SubmitId;
  readonly changeSet: ChangeSet;
  /** The paths the task may change; same patterns as `TaskSpec.scope`. */
  readonly scope: readonly string[];
  readonly intent: SubmitIntent;
  readonly provenance: Provenance;
}

/** Why a change cannot be merged. `edit-delete`: trunk edited what the set deletes; `delete-edit`: the other way round. */
export type ConflictKind =
  | 'content'
  | 'add-add'
  | 'edit-delete'
  | 'delete-edit'
  | 'binary'
  | 'mode'
  | 'type'
  | 'too-costly';

/** A conflict on one path, as a value. A side that has no file is absent. */
export interface Conflict {
  readonly path: string;
  readonly kind: ConflictKind;
  readonly base?: FileEntry;
  readonly trunk?: FileEntry;
  readonly ours?: FileEntry;
  /** Trunk's side can be several tasks; sorted. */
  readonly trunkTasks: readonly TaskPath[];
  /** The task whose change set is parked. */
  readonly task: TaskPath;
}

/** A conflicted or held change set, kept whole off trunk. */
export interface ParkedSet {
  readonly id: ParkedId;
  readonly request: SubmitRequest;
  readonly conflicts: readonly Conflict[];
  /** Trunk when it was parked. */
  readonly trunk: SnapshotId;
  /** 1 for the first, rises with each resolution that conflicted again. */
  readonly round: number;
}

export type RejectionCode =
  | 'empty'
  | 'stale-epoch'
  | 'out-of-scope'
  | 'protected-path'
  | 'bad-path'
  | 'too-large'
  | 'case-twin'
  | 'conflict-markers'
  | 'field-guide-budget'
  | 'unknown-base'
  | 'not-parked'
  /** A submit of the harness conflicts: it makes its change again, on the newest trunk. */
  | 'trunk-moved';

/** Why a submit was refused, and what to do. `details` is one line for the agent. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly paths: readonly string[];
  readonly details: string;
}

export type SubmitOutcome =
  | { readonly kind: 'committed'; readonly commit: SnapshotId; readonly paths: readonly string[] }
  /** On trunk, but some files were merged with others' edits: not yet verified together. */
  | {
      readonly kind: 'merged';
      readonly commit: SnapshotId;
      readonly paths: readonly string[];
      readonly mergedPaths: readonly string[];
    }
  | { readonly kind: 'conflicted'; readonly parked: ParkedId; readonly conflicts: readonly Conflict[] }
  | {
      readonly kind: 'held';
      readonly parked: ParkedId;
      readonly frozen: readonly string[];
      readonly deadline: number;
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };
