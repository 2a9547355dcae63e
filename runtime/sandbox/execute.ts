import type { Clock } from '#edges/clock.ts';
import type { Processes, ProcessEnd, ProcessSpec, RunningProcess } from '#edges/processes.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import { CommandOutput } from './command-output.ts';
import type { CommandLimits, CommandResult } from './command-runner.ts';
import { SandboxError } from './errors.ts';

export interface ExecuteEdges {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export type Execution = Pick<CommandResult, 'ended' | 'exitCode' | 'milliseconds' | 'output'>;

/** After a kill, how long processes that left the group may keep the output open. */
const graceMilliseconds = 1000;

/** The first byte a command's shell writes, so that a sandbox that failed is not taken for a command that failed. */
const startMark = 2;

/**
 * What every command's shell begins with: limits for each process (no core dumps, files of 1 GiB, 4 GiB of data, 4,096
 * processes, which the superuser is not held to), one stream for both outputs, as two come in no order, and the mark.
 */
export const shellStart: string = [
  'for limit in "-c 0" "-f 2097152" "-d 4194304" "-u 4096" "-p 4096"; do ulimit $limit 2>/dev/null; done',
  "exec 2>&1; printf '\\002'",
].join('; ');

function start(processes: Processes, spec: ProcessSpec): RunningProcess {
  try {
    return processes.start(spec);
  } catch (error) {
    // Too long for an argument, or a NUL in it.
    throw new SandboxError('not-started', `${spec.file} cannot be started`, { reason: String(error) }, error);
  }
}

class Execute {
  readonly #process: RunningProcess;
  readonly #output = new CommandOutput();
  readonly #limits: CommandLimits;
  readonly #scheduler: Scheduler;
  #started = false;
  #stopped: 'abort' | 'output-limit' | 'time-limit' | undefined;
  #cancelGrace: () => void = () => undefined;

  constructor(process: RunningProcess, limits: CommandLimits, scheduler: Scheduler) {
    this.#process = process;
    this.#limits = limits;
    this.#scheduler = scheduler;
    process.stdin.end();
    process.stdout.on('data', (chunk: Buffer) => {
      this.#read('stdout', this.#withoutMark(chunk));
    });
    process.stderr.on('data', (chunk: Buffer) => {
      this.#read('stderr', chunk);
    });
  }

  stop(why: 'abort' | 'output-limit' | 'time-limit'): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = why;
    this.#process.kill();
    this.#cancelGrace = this.#scheduler.after(graceMilliseconds, () => {
      this.#process.stdout.destroy();
      this.#process.stderr.destroy();
    });
  }

  async end(file: string): Promise<Omit<Execution, 'milliseconds'>> {
    let end: ProcessEnd;
    try {
      end = await this.#process.ended;
    } catch (error) {
      throw new SandboxError('not-started', `${file} cannot be started`, { reason: String(error) }, error);
    } finally {
      this.#cancelGrace();
    }
    const output = this.#output.text();
    if (this.#stopped === undefined && !this.#started) {
      const reason = output.trim().slice(0, 500);
      throw new SandboxError('not-started', `${file} did not start the command: ${reason}`, { reason });
    }
    if (this.#stopped !== undefined && this.#stopped !== 'abort') {
      return { ended: this.#stopped, exitCode: null, output };
    }
    return { ended: end.code === null ? 'signal' : 'exit', exitCode: end.code, output };
  }

  #withoutMark(chunk: Buffer): Buffer {
    if (this.#started || chunk[0] !== startMark) return chunk;
    this.#started = true;
    return chunk.subarray(1);
  }

  #read(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this.#output.add(stream, chunk);
    if (this.#output.bytes > this.#limits.outputBytes) this.stop('output-limit');
  }
}

/**
 * Runs a process, whose shell begins with `shellStart`, within limits. Its input is closed.
 * @throws SandboxError `not-started`; the signal's reason when it aborts, once the processes are ended
 */
export async function execute(
  edges: ExecuteEdges,
  spec: ProcessSpec,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<Execution> {
  signal.throwIfAborted();
  const began = edges.clock.now();
  const run = new Execute(start(edges.processes, spec), limits, edges.scheduler);
  const abort = (): void => {
    run.stop('abort');
  };
  signal.addEventListener('abort', abort, { once: true });
  const cancelLimit = edges.scheduler.after(limits.milliseconds, () => {
    run.stop('time-limit');
  });
  try {
    const end = await run.end(spec.file);
    signal.throwIfAborted();
    return { ...end, milliseconds: Math.max(0, edges.clock.now() - began) };
  } finally {
    cancelLimit();
    signal.removeEventListener('abort', abort);
  }
}
