import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A second process that writes to a store, until it is killed. */
export class WriterProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #output: Interface;
  #complaint = '';
  readonly #ended: Promise<unknown>;
  /** What it has said so far, line by line. */
  readonly lines: string[] = [];

  constructor(folder: string) {
    const script = fileURLToPath(new URL('./test-writer.ts', import.meta.url));
    this.#child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stderr.on('data', (chunk) => (this.#complaint += String(chunk)));
    this.#ended = once(this.#child, 'close');
    this.#output = createInterface(this.#child.stdout);
    this.#output.on('line', (line) => this.lines.push(line));
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Resolves once it has said a line for which `holds` is true, or as many lines. */
  async hasSaid(wanted: number | ((line: string) => boolean)): Promise<void> {
    const isSaid = (): boolean =>
      typeof wanted === 'number' ? this.lines.length >= wanted : this.lines.some(wanted);
    while (!isSaid()) {
      // oxlint-disable-next-line no-await-in-loop
      await Promise.race([once(this.#output, 'line'), this.#ended]);
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`the writer ended by itself: ${this.#complaint}`);
    }
  }

  /** SIGKILL; resolves when it is gone and its output has been read. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
