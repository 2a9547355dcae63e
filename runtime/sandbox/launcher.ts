import type { ProcessSpec } from '#edges/processes.ts';

/** How a command is started in a checkout: what differs between the runners. */
export interface Launcher {
  /** What commands run in, with the versions that matter. */
  environment(): Promise<string>;
  /**
   * The process that runs `command` with `sh` in the folder `checkout`, and says first that it was started.
   * @throws SandboxError `no-sandbox`, `unsafe-path`; errors of Node's file system
   */
  launch(checkout: string, command: string): Promise<ProcessSpec>;
}

/** The version of the running Node, where commands get that one. */
export function nodeVersion(): string {
  return process.versions['electron'] === undefined ? `, node ${process.version}` : '';
}
