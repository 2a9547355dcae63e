import { runCommandLine } from '#cli/main.ts';
import { testHost } from '#cli/test-host.ts';
import type { CommandEnd } from './command.ts';
import { hastened } from './hastened.ts';
import type { Project } from './project.ts';

export interface InProcessOptions {
  /** Time passes so many times as fast. */
  readonly factor?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command line in this process: all of the command but its start. A process of its own takes half a second, so
 * each kind of case has one, and its variants run here.
 */
export async function inProcess(
  project: Project,
  args: readonly string[],
  options: InProcessOptions = {},
): Promise<CommandEnd> {
  const { edges } = testHost().host;
  const { host, stdout, stderr } = testHost({
    cwd: project.folder,
    home: project.path('home'),
    environment: { SWARMWRIGHT_STATE: project.path('state'), ...options.environment },
    edges: { ...edges, scheduler: hastened(options.factor ?? 1) },
  });
  const code = await runCommandLine(host, args);
  return { code, signal: null, stdout: stdout(), stderr: stderr() };
}
