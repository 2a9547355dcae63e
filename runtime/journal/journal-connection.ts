import { Worker } from 'node:worker_threads';
import type { JournalEnd } from './batch-numbering.ts';
import { JournalError } from './errors.ts';
import type { JournalFailure, JournalReply, JournalRequest, JournalWorkerData } from './journal-messages.ts';

type Distribute<Request> = Request extends { readonly id: number } ? Omit<Request, 'id'> : never;
type Question = Distribute<JournalRequest>;
type Answer = Extract<JournalReply, { kind: 'appended' | 'events' | 'transcript' }>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: JournalError) => void;
}

/** Beside this file in the sources and in the bundle. */
function workerFile(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? './journal-worker.ts' : './journal-worker.js',
    import.meta.url,
  );
}

function errorOf({ code, message, details }: JournalFailure): JournalError {
  return new JournalError(code, message, details);
}

/** The way to the journal's thread. When the thread dies, whatever waits for it is rejected. */
export class JournalConnection {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #dead: JournalError | undefined;
  #lastId = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: JournalReply) => {
      this.#settle(reply);
    });
    this.#ended = new Promise((resolve) => {
      worker.once('error', (error) => {
        this.#die(error);
      });
      worker.once('exit', () => {
        this.#die();
        resolve();
      });
    });
  }

  /** @throws JournalError `io`, `damaged`, `unknown-format`, `no-store` */
  static async open(options: JournalWorkerData): Promise<{ connection: JournalConnection; end: JournalEnd }> {
    // The thread needs none of our environment: no key has to be there.
    const worker = new Worker(workerFile(), { workerData: options, env: {}, execArgv: [] });
    const opened = await new Promise<JournalEnd>((resolve, reject) => {
      worker.once('message', (reply: JournalReply) => {
        if (reply.kind === 'opened') resolve(reply);
        else if (reply.kind === 'not-opened') reject(errorOf(reply));
      });
      worker.once('error', (error) => {
        reject(new JournalError('io', 'the journal thread did not start', {}, error));
      });
      worker.once('exit', () => {
        reject(new JournalError('io', 'the journal thread ended before it opened the journal'));
      });
    });
    return { connection: new JournalConnection(worker), end: opened };
  }

  /** @throws JournalError; `io` when the thread has died */
  async ask(question: Question): Promise<Answer> {
    this.throwIfDead();
    return new Promise<Answer>((resolve, reject) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.#worker.postMessage({ ...question, id: this.#lastId });
    });
  }

  /** @throws JournalError `io` */
  throwIfDead(): void {
    if (this.#dead) throw this.#dead;
  }

  /** Resolves when everything asked before is answered and the thread has ended. Nothing may be asked afterwards. */
  async close(): Promise<void> {
    if (!this.#dead) this.#worker.postMessage({ kind: 'close' } satisfies JournalRequest);
    await this.#ended;
  }

  #settle(reply: JournalReply): void {
    switch (reply.kind) {
      case 'opened':
      case 'not-opened':
        break;
      case 'appended':
        for (const id of reply.ids) this.#take(id)?.resolve(reply);
        break;
      case 'events':
      case 'transcript':
        this.#take(reply.id)?.resolve(reply);
        break;
      case 'failed':
        for (const id of reply.ids) this.#take(id)?.reject(errorOf(reply));
        break;
      default:
        reply satisfies never;
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #die(cause?: unknown): void {
    this.#dead ??= new JournalError('io', 'the journal thread has ended', {}, cause);
    for (const { reject } of this.#waiting.values()) reject(this.#dead);
    this.#waiting.clear();
  }
}
