import { StringDecoder } from 'node:string_decoder';
import type { RunningProcess } from '#edges/processes.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import type { OpenedEngine } from './grade.ts';
import type { EngineAnswer, SqlValue } from './sql-engine.ts';

export interface LineEngineLimits {
  /** From a request to its answer. The first one starts the process, so leave room for that. */
  readonly milliseconds: number;
  /** Characters of one answer. */
  readonly answerLength: number;
}

const stderrKept = 300;

/**
 * An engine in a process of its own: a request `{"sql": …}` a line on its standard input, an answer
 * `{"columns": […], "rows": [[…]]}` or `{"error": {"code", "message"}}` a line on its standard output. What it is and what
 * it may touch is decided by whoever starts the process. Once it fails to answer it is killed and stays broken.
 */
export class LineEngine implements OpenedEngine {
  readonly #process: RunningProcess;
  readonly #scheduler: Scheduler;
  readonly #limits: LineEngineLimits;
  readonly #decoder = new StringDecoder('utf8');
  #unread = '';
  #stderr = '';
  #broken: string | undefined;
  #settle: ((answer: EngineAnswer) => void) | undefined;

  constructor(process: RunningProcess, scheduler: Scheduler, limits: LineEngineLimits) {
    this.#process = process;
    this.#scheduler = scheduler;
    this.#limits = limits;
    process.stdout.on('data', (bytes: Buffer) => {
      this.#receive(bytes);
    });
    process.stderr.on('data', (bytes: Buffer) => {
      this.#stderr = `${this.#stderr}${String(bytes)}`.slice(-stderrKept);
    });
    void this.#watchEnd();
  }

  /** One statement at a time. */
  async execute(sql: string): Promise<EngineAnswer> {
    if (this.#broken !== undefined) return { kind: 'broken', reason: this.#broken };
    const answer = new Promise<EngineAnswer>((resolve) => {
      this.#settle = resolve;
    });
    const { milliseconds } = this.#limits;
    const cancel = this.#scheduler.after(milliseconds, () => {
      this.#break(`no answer within ${milliseconds} ms${this.#lastWords()}`);
    });
    this.#process.stdin.write(`${JSON.stringify({ sql })}\n`);
    try {
      return await answer;
    } finally {
      cancel();
    }
  }

  /** Ends the process, by force if the end of its input is not enough. */
  async close(): Promise<void> {
    this.#broken ??= 'the engine was closed';
    this.#process.stdin.end();
    const cancel = this.#scheduler.after(this.#limits.milliseconds, () => {
      this.#process.kill();
    });
    try {
      await this.#process.ended;
    } catch {
      // It never ran; each statement was answered with that.
    } finally {
      cancel();
    }
  }

  async #watchEnd(): Promise<void> {
    try {
      const { code, signal } = await this.#process.ended;
      this.#break(`the engine ended with ${signal ?? `exit code ${code}`}${this.#lastWords()}`);
    } catch (error) {
      this.#break(`the engine could not be started: ${String(error)}`);
    }
  }

  #receive(bytes: Buffer): void {
    this.#unread += this.#decoder.write(bytes);
    if (this.#unread.length > this.#limits.answerLength) {
      this.#break(`an answer is longer than ${this.#limits.answerLength} characters`);
      return;
    }
    const end = this.#unread.indexOf('\n');
    if (end < 0) return;
    const line = this.#unread.slice(0, end);
    this.#unread = this.#unread.slice(end + 1);
    const answer = readAnswer(line);
    if (this.#settle === undefined || this.#unread !== '' || answer === undefined) {
      const problem = answer === undefined ? 'is no answer' : 'was not asked for';
      this.#break(`the engine wrote what ${problem}: ${line.slice(0, 200)}`);
      return;
    }
    this.#answer(answer);
  }

  #break(reason: string): void {
    if (this.#broken !== undefined) return;
    this.#broken = reason;
    this.#process.kill();
    this.#answer({ kind: 'broken', reason });
  }

  #answer(answer: EngineAnswer): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }

  #lastWords(): string {
    const words = this.#stderr.trim().split('\n').at(-1) ?? '';
    return words === '' ? '' : `: ${words}`;
  }
}

function readAnswer(line: string): EngineAnswer | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('error' in answer) return readError(answer.error);
  if (!('columns' in answer) || !('rows' in answer)) return undefined;
  const { columns, rows } = answer;
  return isArrayOf(columns, isText) && isArrayOf(rows, isRow) ? { kind: 'rows', columns, rows } : undefined;
}

function readError(error: unknown): EngineAnswer | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !isText(error.code)) {
    return undefined;
  }
  return { kind: 'error', code: error.code, message: 'message' in error ? String(error.message) : '' };
}

function isArrayOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every((item) => isItem(item));
}

function isRow(value: unknown): value is SqlValue[] {
  return isArrayOf(value, isValue);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isValue(value: unknown): value is SqlValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
