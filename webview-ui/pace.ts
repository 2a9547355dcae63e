/** Milliseconds, and ways to be called later. */
export interface Timers {
  now(): number;
  after(milliseconds: number, step: () => void): void;
  /** With the next picture. */
  frame(step: () => void): void;
}

export const pageTimers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, step) => {
    setTimeout(step, milliseconds);
  },
  frame: (step) => {
    requestAnimationFrame(step);
  },
};

/** Runs a step with a picture when it is asked for, at most once an interval, however often it was asked for. */
export class Pace {
  readonly #interval: number;
  readonly #step: () => void;
  readonly #timers: Timers;
  #last = Number.NEGATIVE_INFINITY;
  #isPlanned = false;

  constructor(interval: number, step: () => void, timers: Timers) {
    this.#interval = interval;
    this.#step = step;
    this.#timers = timers;
  }

  ask(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    const run = (): void => {
      this.#isPlanned = false;
      this.#last = this.#timers.now();
      this.#step();
    };
    const wait = this.#last + this.#interval - this.#timers.now();
    if (wait <= 0) this.#timers.frame(run);
    else
      this.#timers.after(wait, () => {
        this.#timers.frame(run);
      });
  }
}
