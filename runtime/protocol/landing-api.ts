import type { BlobHash } from './change-sets.ts';
import type { ApprovalNeed, LandingId, LandingObstacle } from './landing-events.ts';

/** A file of a landing, as the user has seen it. */
export interface LandingTarget {
  readonly path: string;
  /** Of the proposal that was shown: what has changed since is not decided. */
  readonly version: number;
}

export interface LandingCommand {
  readonly landing: LandingId;
  /** Names the decisions of one command, which are undone together. */
  readonly group: string;
}

export interface AcceptCommand extends LandingCommand {
  readonly files: readonly LandingTarget[];
  /** Paths that need approval, and that the user approves by name. */
  readonly approve: readonly string[];
  /** Paths in conflict where the user wants the proposal in place of their version, which is kept for undo. */
  readonly replace: readonly string[];
}

/** What became of one file of a command. */
export type LandingOutcome = { readonly path: string } & (
  | { readonly kind: 'done' }
  /** Another version is proposed now, or it is decided already. */
  | { readonly kind: 'outdated' }
  | ({ readonly kind: 'needs-approval' } & ApprovalNeed)
  | { readonly kind: 'obstacle'; readonly obstacle: LandingObstacle }
  /** The file system refused: its code (`ENOSPC`), and nothing was changed. */
  | { readonly kind: 'failed'; readonly code: string }
);

/** A file that is open in an editor: what stands in it, encoded as it would be saved. */
export interface OpenFile extends LandingTarget {
  readonly bytes: Uint8Array;
}

/** What a host is to do with an open file; or why nothing is to be done. */
export type EditPlan =
  | {
      readonly kind: 'edit';
      readonly decision: string;
      /** Of the proposal, now that what stands in the editor has been merged with it. */
      readonly version: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'refused'; readonly outcome: LandingOutcome };

export type EditEnd =
  /** What stands in the editor now: after a formatter, other than what was planned. */
  | { readonly kind: 'applied'; readonly bytes: Uint8Array; readonly saved: boolean }
  /** The editor has not taken the edit; nothing was changed. */
  | { readonly kind: 'refused' };

/** What the user's file holds now: on the disk, or in an editor that has not saved it. */
export type FileSighting = { readonly path: string } & (
  | { readonly where: 'disk' }
  | { readonly where: 'editor'; readonly bytes: Uint8Array }
);

/**
 * The review of what lands. Its state is `RunState.review`. Every call rejects with RunError `not-owned` when another process
 * owns the store, and LandingError `no-landing` when another landing is the newest.
 */
export interface LandingApi {
  /** The bytes of a `Side`: of proposals, before-images and bases. @throws VcsError `no-such-blob` */
  landingContent(store: string, hash: BlobHash): Promise<Uint8Array>;
  /** Files that no editor shows: byte for byte. In the order of the command; each stands for itself. */
  acceptFiles(store: string, command: AcceptCommand): Promise<readonly LandingOutcome[]>;
  discardFiles(
    store: string,
    command: LandingCommand & { readonly files: readonly LandingTarget[] },
  ): Promise<readonly LandingOutcome[]>;
  /** For a file that an editor shows: journals the intent and tells the edit. It must be ended. */
  beginEdit(
    store: string,
    command: LandingCommand & {
      readonly file: OpenFile;
      readonly approved: boolean;
      readonly replace: boolean;
    },
  ): Promise<EditPlan>;
  /** Nothing happens for a decision that is not under way. */
  endEdit(store: string, decision: string, end: EditEnd): Promise<void>;
  /** Takes a decision back on a file that no editor shows. `obstacle`: the user has changed the same lines since. */
  undoDecision(store: string, decision: string): Promise<LandingOutcome>;
  /** Takes a decision back on a file that an editor shows; ended by `endEdit`. */
  beginUndo(store: string, decision: string, bytes: Uint8Array): Promise<EditPlan>;
  /** The user has edited the proposal; it is durable when this resolves. Returns its version. */
  editProposal(store: string, landing: LandingId, path: string, bytes: Uint8Array): Promise<number>;
  /** The user's files may have changed: what has is merged, or withdrawn, or shown as a conflict. */
  sightFiles(store: string, landing: LandingId, files: readonly FileSighting[]): Promise<void>;
  markViewed(store: string, landing: LandingId, file: LandingTarget, viewed: boolean): Promise<void>;
  /** Offers the newest green in place of the one that the landing was made for. */
  refreshLanding(store: string, landing: LandingId): Promise<void>;
}
