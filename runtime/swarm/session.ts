import type { Clock } from '#edges/clock.ts';
import type { FileSystem } from '#edges/file-system.ts';
import type { Processes } from '#edges/processes.ts';
import type { Randomness } from '#edges/randomness.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import type { LandedFile, RunEvent, RunStatus } from '#protocol/events.ts';
import type { RunProjection } from '#protocol/projection.ts';
import type { BuildRequest, LandRequest, ResumeRequest } from '#protocol/requests.ts';

/** Everything outside the process that a run touches. */
export interface Edges {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly scheduler: Scheduler;
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
}

export interface LandingReport {
  /** False when there is no green: without a verify command trunk's head was landed and is to be called unverified. */
  readonly verified: boolean;
  readonly files: readonly LandedFile[];
}

/** An open run: this process owns its store. */
export interface RunSession {
  readonly store: string;
  readonly projection: RunProjection;
  /** Told of each event once it is durable and folded into `projection`. Returns the way to stop. */
  subscribe(listener: (event: RunEvent) => void): () => void;
  /**
   * Builds until the run is complete, partial or failed; `interrupted` when the signal aborts (everything is durable,
   * and `resumeRun` goes on). Does not land.
   */
  drive(signal: AbortSignal): Promise<RunStatus>;
  /** Lands green, or trunk's head where there is no verify command. @throws RunError `nothing-to-land` */
  land(request: LandRequest): Promise<LandingReport>;
  close(): Promise<void>;
}

/** @throws RunError, SpecError, ModelError, JournalError, VcsError: nothing was started and no store is left behind */
export declare function startRun(request: BuildRequest, edges: Edges): Promise<RunSession>;
/** @throws as startRun, and JournalError `no-store`, `in-use` */
export declare function resumeRun(request: ResumeRequest, edges: Edges): Promise<RunSession>;
/** The state of a run, also while another process owns its store. @throws JournalError `no-store` */
export declare function inspectRun(
  store: string,
): Promise<{ readonly projection: RunProjection; readonly events: readonly RunEvent[] }>;
