import type {
  BlobHash,
  Conflict,
  FileMode,
  ParkedId,
  RejectionCode,
  SnapshotId,
  SubmitId,
} from '#protocol/change-sets.ts';
import type { Provenance, TaskPath } from '#protocol/tasks.ts';

/** One changed path as a commit left it; no `entry` where it was deleted. */
export interface RecordedChange {
  readonly path: string;
  readonly entry?: { readonly hash: BlobHash; readonly mode: FileMode; readonly size: number };
  readonly movedFrom?: string;
}

interface RecordBase {
  /** 1 for the first record of the log, without gaps. */
  readonly position: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
}

/**
 * What the log says, without file contents. The log alone decides submits, parkings, fences and trunk.
 */
export type LogRecord = RecordBase &
  (
    | {
        readonly kind: 'commit';
        /** Hash of this record chained to the commit before it. */
        readonly commit: SnapshotId;
        readonly sequence: number;
        /** Absent for the import that trunk starts with. */
        readonly submit?: SubmitId;
        readonly base: SnapshotId;
        readonly changes: readonly RecordedChange[];
        /** Paths whose content was merged with others' edits. */
        readonly mergedPaths: readonly string[];
        /** Present when it settles a parked set. */
        readonly resolves?: ParkedId;
        /** Present for a licensed breakage. */
        readonly breakage?: string;
        readonly provenance: Provenance;
      }
    | {
        readonly kind: 'parked';
        readonly parked: ParkedId;
        readonly submit: SubmitId;
        readonly conflicts: readonly Conflict[];
        readonly trunk: SnapshotId;
        readonly round: number;
        /** The set that this one takes the place of. */
        readonly replaces?: ParkedId;
        readonly changes: readonly RecordedChange[];
        readonly provenance: Provenance;
      }
    | {
        readonly kind: 'rejected';
        readonly submit: SubmitId;
        readonly code: RejectionCode;
        readonly details: string;
      }
    | { readonly kind: 'dropped'; readonly parked: ParkedId; readonly by: TaskPath; readonly reason: string }
    | { readonly kind: 'fence'; readonly task: TaskPath; readonly epoch: number; readonly reason: string }
  );
