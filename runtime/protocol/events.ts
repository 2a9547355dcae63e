import type { Conflict, ParkedId, SnapshotId } from './change-sets.ts';
import type { ApprovalNeed, LandingReviewEvent } from './landing-events.ts';
import type { Usage } from './models.ts';
import type { ProviderName } from './providers.ts';
import type { Decision, FailureMode, Handoff, Role, TaskPath, TaskSpec, TaskState } from './tasks.ts';

/** Caps of a run; an absent one is no cap. Time is minutes of wall clock over all sessions of the run. */
export interface Caps {
  readonly usd?: number;
  readonly tokens?: number;
  readonly minutes?: number;
  /** Nodes of the tree, the root included. */
  readonly tasks: number;
  /** Edges from the root. */
  readonly depth: number;
  /** Agents that hold a slot at once. */
  readonly concurrency: number;
}

/** Where providers are reached, when not at their own addresses. */
export type BaseUrls = Readonly<Partial<Record<ProviderName, string>>>;

/** `provider/name` by role. */
export type ModelChoice = Readonly<Record<Role, string>>;

export interface RunOptions {
  readonly run: string;
  readonly specPath: string;
  readonly specTitle: string;
  readonly workspace: string;
  readonly models: ModelChoice;
  readonly baseUrl?: string;
  readonly baseUrls?: BaseUrls;
  readonly playbook?: string;
  readonly verify?: string;
  readonly caps: Caps;
  readonly land: boolean;
  readonly unsandboxed: boolean;
  readonly toolchains?: readonly string[];
}

/** What was executed to verify a snapshot. */
export interface Evidence {
  readonly snapshot: SnapshotId;
  readonly command: string;
  readonly exitCode: number | null;
  /** Why it ended when not by itself. */
  readonly ended: 'exit' | 'signal' | 'time-limit' | 'output-limit' | 'not-started';
  readonly milliseconds: number;
  /** The last lines of its output. */
  readonly tail: string;
  readonly environment: string;
}

export type RunStatus = 'complete' | 'partial' | 'failed' | 'interrupted';

/** `already-there`: the user's file is what was built. `kept`: it differs from that, and already holds all that was to come. */
export type LandedFile =
  | { readonly path: string; readonly result: 'written' | 'deleted' | 'merged' | 'already-there' | 'kept' }
  | ({ readonly path: string; readonly result: 'waits'; readonly reason: string } & Partial<ApprovalNeed>);

/** Of a model call; null where no price is known for its model. */
export type Dollars = number | null;

export interface LandingReport {
  /** False when there is no green: without a verify command trunk's head was landed and is to be called unverified. */
  readonly verified: boolean;
  readonly files: readonly LandedFile[];
  /** Where the user's files that were replaced or deleted are kept as they were; absent when there were none. */
  readonly replaced?: string;
}

/** What happened, without its number and time. Each is an executed fact. */
export type RunEventBody =
  | LandingReviewEvent
  | { readonly type: 'run.created'; readonly options: RunOptions }
  | {
      readonly type: 'run.resumed';
      readonly lostCalls: readonly string[];
      readonly notes: readonly string[];
      readonly caps: Caps;
      /** What the user has changed for the rest of the run. */
      readonly options?: Partial<
        Pick<RunOptions, 'baseUrl' | 'baseUrls' | 'models' | 'unsandboxed' | 'verify'>
      >;
    }
  | {
      readonly type: 'run.imported';
      readonly snapshot: SnapshotId;
      readonly files: number;
      readonly leftOut: readonly string[];
    }
  | { readonly type: 'run.braked'; readonly reason: string }
  /** By the user: no model call is begun until the run is continued. */
  | { readonly type: 'run.paused' }
  | { readonly type: 'run.continued' }
  | { readonly type: 'run.ended'; readonly status: RunStatus; readonly reasons: readonly string[] }
  | { readonly type: 'task.created'; readonly task: TaskPath; readonly spec: TaskSpec }
  | {
      readonly type: 'task.started';
      readonly task: TaskPath;
      readonly attempt: number;
      readonly epoch: number;
      readonly base: SnapshotId;
      readonly model: string;
    }
  /** A planner waits for its children; it holds no slot. */
  | { readonly type: 'task.slept'; readonly task: TaskPath; readonly wake: 'each' | 'all' }
  | { readonly type: 'task.woke'; readonly task: TaskPath; readonly handoffs: readonly TaskPath[] }
  /** Its worker has finished, its change set has not landed. */
  | {
      readonly type: 'task.parked';
      readonly task: TaskPath;
      readonly parked: ParkedId;
      readonly handoff: Handoff;
    }
  | {
      readonly type: 'task.retried';
      readonly task: TaskPath;
      readonly attempt: number;
      readonly mode: FailureMode;
      readonly details: string;
    }
  | {
      readonly type: 'task.ended';
      readonly task: TaskPath;
      readonly state: TaskState;
      readonly handoff: Handoff;
    }
  | { readonly type: 'decision.recorded'; readonly decision: Decision; readonly commit: SnapshotId }
  | {
      readonly type: 'vcs.committed';
      readonly position: number;
      readonly commit: SnapshotId;
      readonly task: TaskPath;
      readonly role: Role | 'harness' | 'user';
      readonly title: string;
      readonly paths: readonly string[];
      readonly mergedPaths: readonly string[];
      readonly resolves?: ParkedId;
    }
  | {
      readonly type: 'vcs.parked';
      readonly position: number;
      readonly parked: ParkedId;
      readonly task: TaskPath;
      readonly conflicts: readonly Conflict[];
      readonly round: number;
      /** The set that this one takes the place of. */
      readonly replaces?: ParkedId;
    }
  | {
      readonly type: 'vcs.rejected';
      readonly position: number;
      readonly task: TaskPath;
      readonly code: string;
      readonly details: string;
    }
  | {
      readonly type: 'vcs.dropped';
      readonly position: number;
      readonly parked: ParkedId;
      readonly reason: string;
    }
  | {
      readonly type: 'vcs.fenced';
      readonly position: number;
      readonly task: TaskPath;
      readonly epoch: number;
    }
  | {
      readonly type: 'call.reserved';
      readonly key: string;
      readonly account: string;
      readonly role: Role;
      readonly model: string;
      readonly tokens: number;
      readonly usd: Dollars;
    }
  | {
      readonly type: 'call.settled';
      readonly key: string;
      readonly account: string;
      readonly role: Role;
      readonly model: string;
      readonly usage: Usage;
      readonly usd: Dollars;
    }
  /** It was made, and no answer came that could be settled; its upper bound stays booked. */
  | {
      readonly type: 'call.lost';
      readonly key: string;
      readonly account: string;
      readonly role: Role;
      readonly model: string;
      readonly tokens: number;
      readonly usd: Dollars;
      readonly reason: string;
    }
  /** It cannot have cost anything: refused before it was answered. */
  | { readonly type: 'call.released'; readonly key: string; readonly reason: string }
  | {
      readonly type: 'command.ran';
      readonly task: TaskPath;
      readonly command: string;
      readonly exitCode: number | null;
      readonly milliseconds: number;
      readonly rerun: boolean;
    }
  | { readonly type: 'verify.passed'; readonly evidence: Evidence }
  | { readonly type: 'verify.failed'; readonly evidence: Evidence }
  | {
      readonly type: 'landing.started';
      readonly snapshot: SnapshotId;
      readonly verified: boolean;
      readonly paths: number;
    }
  | {
      readonly type: 'landing.file';
      readonly snapshot: SnapshotId;
      readonly file: LandedFile;
      readonly hash?: string;
    }
  | {
      readonly type: 'landing.ended';
      readonly snapshot: SnapshotId;
      readonly landed: number;
      readonly waiting: number;
    };

/** An event as the journal keeps it: numbered from 1 without gaps. */
export type RunEvent = RunEventBody & {
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */ readonly time: number;
};
