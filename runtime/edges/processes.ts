import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';

export interface ProcessSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  /** The exit code, or null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** A started process. Its group can be killed as a whole. */
export interface RunningProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process ended and its output is closed; rejects when it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGKILL to the process and its group. */
  kill(): void;
}

/** Starting processes; injected, so that a test or another host can stand in. */
export interface Processes {
  /** Never throws; what fails is told by `ended`. */
  start(spec: ProcessSpec): RunningProcess;
}

function notStarted(reason: unknown): RunningProcess {
  const ended = Promise.reject<ProcessEnd>(reason);
  // Whoever started it awaits this, but maybe not in the same turn.
  ended.catch(() => undefined);
  return {
    pid: -1,
    stdin: new Writable({
      write: (_chunk, _encoding, done) => {
        done();
      },
    }),
    stdout: Readable.from([]),
    stderr: Readable.from([]),
    ended,
    kill: () => undefined,
  };
}

export const nodeProcesses: Processes = {
  start: (spec) => {
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(spec.file, [...spec.args], {
        cwd: spec.cwd,
        env: { ...spec.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      });
    } catch (error) {
      // Arguments that are too long (E2BIG) or hold a NUL are thrown; a program that is missing is told by an event.
      return notStarted(error);
    }
    // A process that ends before it has read its input is no error of ours.
    child.stdin.on('error', () => undefined);
    const ended = new Promise<ProcessEnd>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve({ code, signal });
      });
    });
    return {
      pid: child.pid ?? -1,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      ended,
      kill: () => {
        if (child.pid === undefined) return;
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          child.kill('SIGKILL');
        }
      },
    };
  },
};
