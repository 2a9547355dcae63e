import type { BlobHash, SnapshotId } from './change-sets.ts';
import type { BaseUrls, Dollars, RunEvent, RunStatus } from './events.ts';
import type { CommitRecord, ConflictRecord, TaskHistory } from './history.ts';
import type { HostChatEnd, HostChatEvent } from './host-models.ts';
import type { ModelPrice } from './model-price.ts';
import type { ChatRequest } from './models.ts';
import type { LandingApi } from './landing-api.ts';
import type { BuildRequest, ResumeRequest } from './requests.ts';
import type { ErrorReport } from './rpc.ts';
import type { TaskPath } from './tasks.ts';
import type { TranscriptItem } from './transcripts.ts';

/** Whether commands can be confined on this machine. `reason` is one line. */
export type SandboxReport =
  | { readonly kind: 'bubblewrap' }
  | { readonly kind: 'none'; readonly reason: string };

/** Models whose prices are asked for, and how their servers are reached. */
export interface PriceRequest {
  readonly choices: readonly string[];
  readonly baseUrls: BaseUrls;
  readonly environment: BuildRequest['environment'];
}

/** A new run; where its store lies is the runtime's choice unless it is named. */
export type StartRequest = Omit<BuildRequest, 'store'> & { readonly store?: string };

/** A run that this runtime shows. */
export interface OpenedRun {
  /** The folder of its store: what names the run in every call. */
  readonly store: string;
  /** Events up to this number are there: `snapshot` gives them, `events` of the host the later ones. */
  readonly version: number;
  /**
   * `driving`: agents work. `open`: this runtime owns its store, and nothing works. `following`: another process owns
   * it, and this one only looks.
   */
  readonly mode: 'driving' | 'open' | 'following';
}

/** A run of a workspace, as far as its store tells without opening it for writing. */
export interface RunSummary {
  readonly store: string;
  readonly specTitle: string;
  readonly specPath: string;
  readonly status: RunStatus | 'empty' | 'running';
  /** Milliseconds since the Unix epoch. */
  readonly started: number;
  readonly lastEvent: number;
  readonly tasks: number;
  /** The process that drives it now. */
  readonly owner?: { readonly pid?: number; readonly host?: string };
}

/** A state of a run as text, so that a hop that only passes it on does not parse it: JSON of a `RunSnapshot`. */
export interface SnapshotText {
  readonly version: number;
  readonly json: string;
}

export interface SpecReport {
  readonly title: string;
  readonly sections: number;
  readonly characters: number;
}

/** A file of trunk, or of what a task has changed. An absent side is undefined. */
export interface TrunkFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What one commit of a task did to a path. */
export interface TaskChange {
  readonly path: string;
  readonly commit: SnapshotId;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** A run that was written as a playbook. */
export interface RecordedRun {
  /** Its `playbook.yaml`. */
  readonly file: string;
  readonly turns: number;
  /** Files beside it. */
  readonly files: number;
  /** Slots that it needs. */
  readonly concurrency: number;
  /** What a run of it may do otherwise, a sentence each. */
  readonly notes: readonly string[];
}

/** Items of an agent's transcript, with what its calls have cost. */
export interface TranscriptPage {
  readonly items: readonly TranscriptItem[];
  /** By call key, of the turns among the items. */
  readonly costs: readonly (readonly [callKey: string, usd: Dollars])[];
  /** True when the agent may say more. */
  readonly isLive: boolean;
}

/**
 * What a host may ask of the runtime. Everything rejects with a RemoteError; words for users are made by the host.
 * Paths are absolute.
 */
export interface RuntimeApi extends LandingApi {
  sandbox(): Promise<SandboxReport>;
  /** @throws SpecError */
  readSpec(path: string): Promise<SpecReport>;
  /** By choice `PROVIDER/NAME`, as far as they are known or servers tell them. Never rejects for one that is not. */
  prices(request: PriceRequest): Promise<Readonly<Record<string, ModelPrice>>>;

  /** Resolves once the run is in its journal and can be resumed. It is driven from here on. @throws as `startRun` */
  startRun(request: StartRequest): Promise<OpenedRun>;
  /** @throws as `resumeRun`; JournalError `in-use` when another process drives it */
  resumeRun(request: ResumeRequest): Promise<OpenedRun>;
  /** Shows a run without driving it: owned where it is free, else followed. @throws JournalError, VcsError, RunError */
  openRun(store: string): Promise<OpenedRun>;
  /** Stops showing a run, and gives its store back. One that is driven is interrupted first. */
  closeRun(store: string): Promise<void>;

  /** No new model call is made until `continueRun`; calls and commands in flight are finished. */
  pauseRun(store: string): Promise<void>;
  continueRun(store: string): Promise<void>;
  /** Interrupts; everything is durable, and `resumeRun` goes on. Resolves once the run has ended. */
  stopRun(store: string): Promise<void>;

  /** Runs of a workspace, newest first. */
  runsOf(workspace: string): Promise<readonly RunSummary[]>;
  snapshot(store: string): Promise<SnapshotText>;
  /** At most 2,000 events after `sequence`, in order. */
  events(store: string, after: number): Promise<readonly RunEvent[]>;
  /**
   * The same with its costs, also of a run that is not shown: then its store is only read.
   * @throws JournalError `no-store`, `io`, `damaged`
   */
  transcriptPage(store: string, agent: string, from: number): Promise<TranscriptPage>;
  /** Agents that have worked on a task, resolvers of its conflicts too, by the names of their transcripts. */
  agentsOf(store: string, task: TaskPath): Promise<readonly string[]>;
  /**
   * Writes a run as a playbook, into a folder that is missing or empty. The store is only read.
   * @throws RecordingError, JournalError `no-store`, `io`, `damaged`
   */
  recordRun(store: string, folder: string): Promise<RecordedRun>;
  /** The bytes that a `FileEntry` names. @throws RunError `not-owned`; VcsError `no-such-blob` */
  blob(store: string, hash: BlobHash): Promise<Uint8Array>;
  /** Files of trunk's head below a folder, in order of their paths. @throws RunError `not-owned` */
  trunkFiles(store: string, folder: string): Promise<readonly TrunkFile[]>;
  /** A file as a commit left it; undefined when it had none there. @throws RunError `not-owned` */
  fileAt(store: string, commit: SnapshotId, path: string): Promise<Uint8Array | undefined>;
  /** What a task has brought to trunk, oldest first. @throws RunError `not-owned` */
  changesOf(store: string, task: TaskPath): Promise<readonly TaskChange[]>;
  /** Attempts and commits of a task. */
  taskHistory(store: string, task: TaskPath): Promise<TaskHistory>;
  /** All conflicts of the run, settled ones too, oldest first. */
  conflictHistory(store: string): Promise<readonly ConflictRecord[]>;
  /** Commits that changed something below a folder, oldest first. */
  commitsBelow(store: string, folder: string): Promise<readonly CommitRecord[]>;

  /** A part of the answer that `chat` of the host has begun, in order. */
  chatEvent(call: string, event: HostChatEvent): void;

  /** Interrupts and closes all runs, within a second as far as disks let it; then the runtime can be ended. */
  shutDown(): Promise<void>;
}

/** What the runtime tells its host, and asks of it. */
export interface HostApi {
  /** Durable events of a run that is shown, in order and without gaps. */
  events(store: string, events: readonly RunEvent[]): void;
  /** A run that was driven has ended: how, or by what error. Its last events came before. */
  ended(store: string, outcome: RunOutcome): void;
  /**
   * Calls one of the host's models, by what follows the provider in a choice. Parts of the answer go to `chatEvent`, by
   * the call's name. @throws HostModelError (see host-models.ts)
   */
  chat(call: string, model: string, request: ChatRequest): Promise<HostChatEnd>;
  /** The answer is not wanted any more; `chat` of it may reject, or never resolve. */
  cancelChat(call: string): void;
  /** Nobody owns the store of a followed run any more: it can be opened. */
  freed(store: string): void;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
}

export type RunOutcome =
  | { readonly kind: 'ended'; readonly status: RunStatus }
  | { readonly kind: 'failed'; readonly error: ErrorReport };
