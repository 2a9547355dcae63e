import type { Scheduler } from '#edges/scheduler.ts';

/** Time that passes only when a test says so. */
export class ManualScheduler implements Scheduler {
  #now = 0;
  readonly #timers = new Map<() => void, number>();

  get now(): number {
    return this.#now;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.after(milliseconds, resolve);
    const abort = (): void => {
      resolve();
    };
    signal?.addEventListener('abort', abort);
    await promise;
    cancel();
    signal?.removeEventListener('abort', abort);
    signal?.throwIfAborted();
  }

  after(milliseconds: number, action: () => void): () => void {
    const timer = (): void => {
      action();
    };
    this.#timers.set(timer, this.#now + milliseconds);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Lets `milliseconds` pass, timer by timer; what each sets in motion is done before the next one. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const [next] = [...this.#timers].toSorted(([, left], [, right]) => left - right);
      if (!next || next[1] > end) break;
      const [timer, time] = next;
      this.#timers.delete(timer);
      this.#now = time;
      timer();
      await settle();
    }
    this.#now = end;
  }
}

/** Returns when everything that needs no time has happened. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await new Promise(setImmediate);
}
