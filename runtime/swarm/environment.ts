import type { Clock } from '#edges/clock.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import type { RunOptions } from '#protocol/events.ts';
import type { Role } from '#protocol/tasks.ts';
import type { ModelCaller } from '#agents/model-caller.ts';
import type { PauseGate } from '#agents/pause-gate.ts';
import type { SlotHold } from '#agents/slots.ts';
import type { CommandRunner } from '#sandbox/command-runner.ts';
import type { Specification } from '#spec/specification.ts';
import type { Repository } from '#vcs/repository.ts';
import type { Claims } from './claims.ts';
import type { EventLog } from './event-log.ts';
import type { LogFollower } from './log-follower.ts';

/** What the mechanisms of a run share. Made once, by the composition of the run. */
export interface SwarmEnvironment {
  readonly options: RunOptions;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly repository: Repository;
  readonly log: EventLog;
  readonly follower: LogFollower;
  readonly claims: Claims;
  readonly spec: Specification;
  readonly runner: CommandRunner;
  readonly sandboxed: boolean;
  /** Closed while the user holds the run. */
  readonly gate: PauseGate;
  /** The model of a role, for an agent that holds (or gives) this slot. */
  modelFor(role: Role, hold: SlotHold): ModelCaller;
}

/** Sizes that no issue or user sets yet. */
export const limits = {
  workerTurns: 80,
  plannerTurns: 60,
  resolverTurns: 8,
  /** Resolvers at once; they hold none of the slots of planners and workers. */
  resolverSlots: 4,
  outputTokens: 16_000,
  /** A task is given up after this many agents. */
  attempts: 3,
  /** Resolutions of one parked set before it is left to its planner. */
  rounds: 3,
  command: { milliseconds: 120_000, outputBytes: 2_000_000 },
  verification: { milliseconds: 600_000, outputBytes: 20_000_000 },
} as const;
