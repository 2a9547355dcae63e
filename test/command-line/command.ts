import { spawn, type ChildProcess } from 'node:child_process';
import { systemScheduler } from '#edges/scheduler.ts';
import { entry } from './build-once.ts';

/** How a command ended, and what it wrote. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  /** Besides PATH, which is inherited: the rest of the tester's environment must not decide anything. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The Node that it is started with; the one that runs the tests when absent. */
  readonly node?: string;
  /** A program and its arguments that start it, such as a sandbox. */
  readonly within?: readonly string[];
}

/** A process of `dist/cli.js`, in a group of its own as a terminal makes one. */
export class Command {
  readonly end: Promise<CommandEnd>;
  /** Resolves when the process that was started is gone, whoever still holds its output open. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  #stdout = '';
  #stderr = '';
  #ended = false;

  constructor(args: readonly string[], options: CommandOptions) {
    const node = options.node ?? process.execPath;
    const [program = node, ...rest] = [...(options.within ?? []), node, entry, ...args];
    this.#process = spawn(program, rest, {
      cwd: options.cwd,
      env: { PATH: process.env['PATH'], ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.end = this.#waitForEnd();
    this.gone = new Promise((resolve) => {
      this.#process.once('exit', () => {
        resolve();
      });
    });
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** True once a SIGKILL has ended it. */
  get killed(): boolean {
    return this.#process.signalCode === 'SIGKILL';
  }

  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** Waits until it has written something. @throws Error with what it wrote when it ends without */
  async said(pattern: RegExp): Promise<void> {
    await this.until(() => pattern.test(this.output), `nothing like ${String(pattern)} was written`);
  }

  /** Waits for something that the process brings about. */
  async until(holds: () => boolean, otherwise: string): Promise<void> {
    while (!holds()) {
      if (this.#ended) throw new Error(`${otherwise}, and it ended: ${this.output}`);
      await systemScheduler.sleep(10);
    }
  }

  send(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** To the whole group, as a terminal does at Ctrl-C. */
  sendToGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** Ends it if it is still there. */
  async stop(): Promise<void> {
    if (!this.#ended && this.#process.pid !== undefined) this.sendToGroup('SIGKILL');
    await this.end.catch(() => undefined);
  }

  async #waitForEnd(): Promise<CommandEnd> {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      this.#process.once('error', reject);
      this.#process.once('close', (...how) => {
        resolve(how);
      });
    }).finally(() => {
      this.#ended = true;
    });
    return { code, signal, stdout: this.#stdout, stderr: this.#stderr };
  }
}
