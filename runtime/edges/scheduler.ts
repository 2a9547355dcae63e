import { setTimeout as delay } from 'node:timers/promises';

/** Waiting. Injected, so that a test decides when time passes. */
export interface Scheduler {
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `action` once after `milliseconds`, unless the returned function is called first. Does not keep the process alive. */
  after(milliseconds: number, action: () => void): () => void;
}

/** The longest that one timer of Node can wait, 24.8 days: more overflows 32 bits, and it fires at once. */
const longestTimer = 2 ** 31 - 1;

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  try {
    await delay(Math.min(milliseconds, longestTimer), undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  if (milliseconds > longestTimer) await sleep(milliseconds - longestTimer, signal);
}

export const systemScheduler: Scheduler = {
  sleep,
  after: (milliseconds, action) => {
    let left = milliseconds;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const step = Math.min(left, longestTimer);
      left -= step;
      timer = setTimeout(left > 0 ? wait : action, step);
      timer.unref();
    };
    wait();
    return () => {
      clearTimeout(timer);
    };
  },
};
