import { Socket } from 'node:net';

/**
 * When the launcher has started this process, a pipe on fd 3 leads to it. It closes when the launcher is gone, killed
 * too: then nobody waits for this process, and it must not go on spending.
 */
export function endWithLauncher(environment: NodeJS.ProcessEnv): void {
  if (environment['SWARMWRIGHT_PARENT_FD'] === undefined) return;
  // Commands that are started from here must not take the pipe for theirs.
  delete environment['SWARMWRIGHT_PARENT_FD'];
  const pipe = new Socket({ fd: 3 });
  pipe.on('error', end);
  pipe.on('close', end);
  pipe.resume();
  pipe.unref();
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
