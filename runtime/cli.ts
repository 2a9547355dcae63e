/**
 * The headless entry: composes the edges of this process and runs one command line. `dist/main.js` is made of it;
 * `dist/cli.js` is the launcher that starts it.
 */
import { homedir } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { systemRandomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { Host } from '#cli/host.ts';
import { runCommandLine } from '#cli/main.ts';
import { endWithLauncher } from '#cli/parent-pipe.ts';
import { shellQuote } from '#cli/text.ts';

endWithLauncher(process.env);
// A reader that goes away (`| head`) or a terminal that closes does not end a run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const isBundle = import.meta.url.endsWith('.js');
const entry = fileURLToPath(new URL(isBundle ? './cli.js' : './cli.ts', import.meta.url));
const shortEntry = relative(process.cwd(), entry);

const host: Host = {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: { ...process.env },
  platform: process.platform,
  home: homedir(),
  cwd: process.cwd(),
  packageRoot: fileURLToPath(new URL('..', import.meta.url)),
  invocation: `node ${shellQuote(shortEntry.startsWith('..') ? entry : shortEntry)}`,
  edges: {
    clock: systemClock,
    randomness: systemRandomness,
    scheduler: systemScheduler,
    fileSystem: nodeFileSystem,
    processes: nodeProcesses,
  },
  onInterrupt: (listener) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
};

const code = await runCommandLine(host, process.argv.slice(2));
// What is left open (a connection kept alive) must not hold the process: all that counts is written.
process.stdout.write('', () => process.exit(code));
