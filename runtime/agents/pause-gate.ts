import { abortError } from '#edges/abort.ts';

/** Where model calls wait while the user holds a run. */
export class PauseGate {
  #waiting: PromiseWithResolvers<void> | undefined;

  get isClosed(): boolean {
    return this.#waiting !== undefined;
  }

  close(): void {
    this.#waiting ??= Promise.withResolvers();
  }

  open(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }

  /** Resolves once the gate is open; rejects with the signal's reason when it aborts first. */
  async pass(signal: AbortSignal): Promise<void> {
    while (this.#waiting !== undefined) {
      signal.throwIfAborted();
      const { promise, reject, resolve } = Promise.withResolvers<void>();
      const fail = (): void => {
        reject(abortError(signal));
      };
      signal.addEventListener('abort', fail, { once: true });
      void this.#waiting.promise.then(resolve);
      try {
        await promise;
      } finally {
        signal.removeEventListener('abort', fail);
      }
    }
  }
}
