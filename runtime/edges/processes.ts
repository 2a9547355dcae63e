import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

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

export const nodeProcesses: Processes = {
  start: (spec) => {
    const child = spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
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
