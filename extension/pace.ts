/** Milliseconds, and the way to be called later: `setTimeout`, or a clock that a test moves. */
export interface Timers {
  now(): number;
  /** Returns the way to cancel. */
  after(milliseconds: number, step: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, step) => {
    const timer = setTimeout(step, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * Runs a step when it is asked for, at most once an interval and only while somebody looks. However often it was asked
 * for in between, it runs once.
 */
export class Pace {
  readonly #interval: number;
  readonly #step: () => void;
  readonly #timers: Timers;
  #lastRun = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #isSeen = false;
  #cancel: (() => void) | undefined;

  constructor(interval: number, step: () => void, timers: Timers = systemTimers) {
    this.#interval = interval;
    this.#step = step;
    this.#timers = timers;
  }

  ask(): void {
    this.#isWanted = true;
    this.#plan();
  }

  /** Nobody looks, or somebody does again: then what was asked for meanwhile is done. */
  see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    if (isSeen) this.#plan();
    else this.#stop();
  }

  dispose(): void {
    this.#isSeen = false;
    this.#stop();
  }

  #plan(): void {
    if (!this.#isWanted || !this.#isSeen || this.#cancel) return;
    const wait = this.#lastRun + this.#interval - this.#timers.now();
    this.#cancel = this.#timers.after(Math.max(0, wait), () => {
      this.#cancel = undefined;
      this.#isWanted = false;
      this.#lastRun = this.#timers.now();
      this.#step();
    });
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
