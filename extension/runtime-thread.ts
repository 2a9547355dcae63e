import { Worker } from 'node:worker_threads';
import { connectRpc, type Rpc } from '#protocol/rpc.ts';
import type { HostApi, RuntimeApi } from '#protocol/runtime-api.ts';

/** Milliseconds that the runtime has to close its stores; then the thread is ended, which loses nothing durable. */
const shutDownPatience = 800;

interface Running {
  readonly worker: Worker;
  readonly rpc: Rpc<RuntimeApi>;
}

/** Why the thread is gone although nobody ended it. */
export interface ThreadDeath {
  readonly reason: string;
}

/**
 * The worker thread that the runtime lives in. It is started when something is first asked of it; when it dies, what is
 * pending is rejected as `gone`, `onDeath` is told, and the next call starts a new one.
 */
export class RuntimeThread {
  readonly #file: string;
  readonly #host: HostApi;
  readonly #onDeath: (death: ThreadDeath) => void;
  #running: Running | undefined;
  #isDisposed = false;

  constructor(file: string, host: HostApi, onDeath: (death: ThreadDeath) => void) {
    this.#file = file;
    this.#host = host;
    this.#onDeath = onDeath;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The runtime; rejects with a RemoteError. */
  get api(): Rpc<RuntimeApi>['remote'] {
    this.#running ??= this.#start();
    return this.#running.rpc.remote;
  }

  /** Ends the thread as a crash would. */
  async kill(): Promise<void> {
    await this.#running?.worker.terminate();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const running = this.#running;
    if (!running) return;
    const { promise: patience, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, shutDownPatience);
    try {
      await Promise.race([running.rpc.remote.shutDown(), patience]);
    } catch {
      // It is gone already.
    } finally {
      clearTimeout(timer);
    }
    await running.worker.terminate();
  }

  #start(): Running {
    if (this.#isDisposed) throw new Error('the extension is being deactivated');
    const worker = new Worker(this.#file, { name: 'swarmwright-runtime' });
    let reason = '';
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    const rpc = connectRpc<RuntimeApi>(
      this.#host,
      {
        post: (message) => {
          worker.postMessage(message);
        },
        listen: (listener) => {
          worker.on('message', listener);
        },
      },
      {
        events: ['chatEvent'],
        onError: (error, name) => {
          this.#host.log('debug', `${name}: ${String(error)}`);
        },
      },
    );
    const running = { worker, rpc };
    worker.once('exit', (code) => {
      rpc.close();
      if (this.#running === running) this.#running = undefined;
      if (!this.#isDisposed) this.#onDeath({ reason: reason || `it ended with code ${code}` });
    });
    return running;
  }
}
