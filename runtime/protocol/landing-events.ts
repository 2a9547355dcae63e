import type { FileEntry, SnapshotId } from './change-sets.ts';

/** `RUN-NUMBER`, in lower case: the authority of its documents' addresses. */
export type LandingId = string;

/** What stands at a path, by hash; null where nothing does. */
export type Side = FileEntry | null;

/** Why the user's file and the build cannot be brought together, or the user's file not be written. */
export type LandingObstacle =
  /** Both changed the same lines. */
  | 'same-lines'
  /** Both changed a file that has no lines. */
  | 'binary'
  | 'too-costly'
  | 'link'
  /** The build deletes what the user has changed. */
  | 'deleted-by-build'
  /** The build changes what the user has deleted. */
  | 'deleted-by-user'
  /** A newer green changes lines that the user has changed in the proposal. */
  | 'proposal-edited'
  /** A part of the way to it is a link, a file, or a repository of its own; or no file is in its place. */
  | 'way-blocked'
  | 'read-only'
  | 'keeps-changing';

/** Who obeys a file, or what it does, so that the user must approve it by name. */
export type LandingApproval =
  | 'git'
  | 'editors'
  | 'hook'
  | 'coding-agents'
  | 'continuous-integration'
  | 'tools'
  | 'package-scripts'
  /** A symbolic link that leads out of the workspace. */
  | 'link-outside'
  /** Of a journal of another version, which gives a reason that this one does not know. */
  | 'other';

/** Why a change waits for the user's approval. */
export interface ApprovalNeed {
  readonly approval: LandingApproval;
  /** The target of a link that leads out of the workspace. */
  readonly linksTo?: string;
}

/** What may be written at a path, and what for. */
export interface Proposal {
  /** 1 for the first; rises with each later one of the path in this landing. */
  readonly version: number;
  /** What the user had before the agents changed it. */
  readonly base: Side;
  /** What green has. */
  readonly trunk: Side;
  /** The user's file that `content` was made for. */
  readonly file: Side;
  /** The user's file as it was seen last; other than `file` only in a conflict. */
  readonly seen: Side;
  readonly content: Side;
  /** Of the build's and the user's content: `text` has lines. */
  readonly kind: 'text' | 'binary' | 'link';
  /** Why it needs the user's approval. */
  readonly approval?: LandingApproval;
  /** Where a link leads that needs approval. */
  readonly linksTo?: string;
  readonly obstacle?: LandingObstacle;
  /** The user has changed it. */
  readonly edited: boolean;
  /** The path whose content it has; that one is deleted in the same landing. */
  readonly movedFrom?: string;
}

export type ProposalCause = 'offered' | 'refreshed' | 'file-changed' | 'edited' | 'reopened';

/** A step on the user's file, or a decision that touches none. */
interface DecisionBase {
  readonly landing: LandingId;
  /** Unique in the run. */
  readonly decision: string;
  readonly path: string;
}

export type LandingReviewEvent =
  | {
      readonly type: 'landing.offered' | 'landing.refreshed';
      readonly landing: LandingId;
      readonly green: SnapshotId;
      readonly verified: boolean;
    }
  | {
      readonly type: 'landing.proposed';
      readonly landing: LandingId;
      readonly path: string;
      readonly cause: ProposalCause;
      readonly proposal: Proposal;
    }
  | {
      readonly type: 'landing.viewed';
      readonly landing: LandingId;
      readonly path: string;
      readonly version: number;
      readonly viewed: boolean;
    }
  /** `before` stands there now, `after` will. An intent to undo has the name of the decision that it undoes. */
  | (DecisionBase & {
      readonly type: 'landing.intended';
      readonly step: 'accept' | 'undo';
      readonly way: 'bytes' | 'editor';
      /** Decisions of one command. */
      readonly group: string;
      readonly before: Side;
      readonly after: Side;
    })
  | (DecisionBase & {
      readonly type: 'landing.decided';
      readonly outcome: 'accepted';
      readonly group: string;
      /** What stood there, and what stands there now; after the user's formatter, where the editor ran it. */
      readonly before: Side;
      readonly after: Side;
      /** What the disk held all the same: an editor has not saved it. */
      readonly unsaved?: Side;
      readonly trunk: Side;
    })
  | (DecisionBase & {
      readonly type: 'landing.decided';
      readonly outcome: 'discarded';
      readonly group: string;
      readonly trunk: Side;
    })
  /** The file holds what is proposed, and nothing was written. */
  | (DecisionBase & {
      readonly type: 'landing.decided';
      readonly outcome: 'there';
      readonly trunk: Side;
    })
  /**
   * `undone`: by Undo Last Decision; `withdrawn`: the file holds again what it held before, by the editor's undo or any
   * other way. Both name the decision that no longer holds. `given-up`: what was intended was not done.
   */
  | (DecisionBase & {
      readonly type: 'landing.decided';
      readonly outcome: 'undone' | 'withdrawn' | 'given-up';
    });
