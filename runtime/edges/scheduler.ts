import { setTimeout as delay } from 'node:timers/promises';

/** Waiting. Injected, so that a test decides when time passes. */
export interface Scheduler {
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `action` once after `milliseconds`, unless the returned function is called first. Does not keep the process alive. */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemScheduler: Scheduler = {
  sleep: async (milliseconds, signal) => {
    signal?.throwIfAborted();
    try {
      await delay(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
