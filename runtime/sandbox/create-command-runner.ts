import type { Clock } from '#edges/clock.ts';
import type { FileSystem } from '#edges/file-system.ts';
import type { Processes } from '#edges/processes.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import { BubblewrapLauncher } from './bubblewrap-launcher.ts';
import { CheckoutRunner } from './checkout-runner.ts';
import type { CommandRunner } from './command-runner.ts';
import { UnsandboxedLauncher } from './unsandboxed-launcher.ts';

export interface CommandRunnerOptions {
  /** Absolute; checkouts are made below it. Outside the workspace, and for this runner alone. */
  readonly root: string;
  readonly fileSystem: FileSystem;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** `none` only with the user's consent. */
  readonly sandbox: 'bubblewrap' | 'none';
  /** More folders with programs that commands may use, absolute; mounted read-only where they are. */
  readonly toolchains?: readonly string[];
}

/** A command runner that must be closed: that ends its commands and removes its checkouts. */
export function createCommandRunner(
  options: CommandRunnerOptions,
): CommandRunner & { close(): Promise<void> } {
  const { fileSystem, processes, root, toolchains = [] } = options;
  const launcher =
    options.sandbox === 'bubblewrap'
      ? new BubblewrapLauncher(fileSystem, processes, root, process.execPath, toolchains)
      : new UnsandboxedLauncher(fileSystem, process.execPath, toolchains);
  return new CheckoutRunner(options, fileSystem, root, launcher);
}
