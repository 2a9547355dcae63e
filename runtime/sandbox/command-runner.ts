import type { FileTree } from '#protocol/file-tree.ts';

export interface CommandLimits {
  readonly milliseconds: number;
  /** Bytes of output (both streams) after which the command is ended. */
  readonly outputBytes: number;
}

export interface CommandResult {
  /** The exit code, or null when it did not end by itself. */
  readonly exitCode: number | null;
  readonly ended: 'exit' | 'signal' | 'time-limit' | 'output-limit' | 'not-started';
  /** Both streams as they came, decoded as UTF-8, cut in the middle where too long for a reader. */
  readonly output: string;
  readonly milliseconds: number;
  /** Paths that the command created, changed or deleted and that are not ignored: reported, not adopted. Sorted. */
  readonly changed: readonly string[];
  /** What it ran in: `bubblewrap` or `unsandboxed`, and the versions that matter. */
  readonly environment: string;
}

/** Where commands run: a checkout of its own for each owner, brought up to date by difference. */
export interface CommandRunner {
  /**
   * Brings the owner's checkout to `tree` and runs `command` in it with `sh -c`. One command at a time an owner.
   * @throws SandboxError; the signal's reason when it aborts (the command's processes are ended first)
   */
  run(
    owner: string,
    tree: FileTree,
    command: string,
    limits: CommandLimits,
    signal: AbortSignal,
  ): Promise<CommandResult>;
  /** Gives the owner's checkout back for others to use. */
  release(owner: string): Promise<void>;
}
