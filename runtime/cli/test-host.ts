import { PassThrough } from 'node:stream';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { systemRandomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { Host } from './host.ts';

interface TestHost {
  readonly host: Host;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** What a Ctrl-C does. */
  readonly interrupt: () => void;
  readonly exits: readonly number[];
}

/** A host for tests: real edges, streams that are kept, and interrupts that the test sends. */
export function testHost(change: Partial<Host> = {}): TestHost {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const listeners = new Set<() => void>();
  const exits: number[] = [];
  const texts = { stdout: '', stderr: '' };
  streams.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  streams.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const host: Host = {
    ...streams,
    environment: {},
    platform: 'linux',
    home: '/nowhere',
    cwd: '/',
    packageRoot: new URL('../..', import.meta.url).pathname,
    invocation: 'swarmwright',
    edges: {
      clock: systemClock,
      randomness: systemRandomness,
      scheduler: systemScheduler,
      fileSystem: nodeFileSystem,
      processes: nodeProcesses,
    },
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: (code) => exits.push(code),
    ...change,
  };
  return {
    host,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    exits,
  };
}
