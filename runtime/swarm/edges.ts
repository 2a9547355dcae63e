import type { Clock } from '#edges/clock.ts';
import type { FileSystem } from '#edges/file-system.ts';
import type { Processes } from '#edges/processes.ts';
import type { Randomness } from '#edges/randomness.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import type { HostChats } from '#models/host/host-model.ts';

/** Everything outside the process that a run touches. */
export interface Edges {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly scheduler: Scheduler;
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  /** The models of the program around the runtime, where it has any. */
  readonly hostChats?: HostChats;
}
