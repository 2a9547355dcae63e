import { systemTimers, type Timers } from '../pace.ts';

/** Milliseconds after a refresh that failed; twice as long after each that follows. */
const firstPause = 1_000;
const longestPause = 60_000;

/** Brings a landing to the newest green by itself: once for each green, and again, later and later, when that failed. */
export class LandingRefresh {
  readonly #again: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #timers: Timers;
  /** The green that the landing was made for when it was refreshed last. */
  #green: string | undefined;
  #isBlocked = false;
  #failures = 0;
  #cancel: (() => void) | undefined;

  /** `again`: what may be refreshed now is to be looked at again. An error is told once for each green. */
  constructor(again: () => void, onError: (error: unknown) => void, timers: Timers = systemTimers) {
    this.#again = again;
    this.#onError = onError;
    this.#timers = timers;
  }

  run(green: string, refresh: () => Promise<void>): void {
    if (green !== this.#green) {
      this.dispose();
      this.#green = green;
      this.#failures = 0;
      this.#isBlocked = false;
    }
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    refresh().catch((error: unknown) => {
      if (green === this.#green) this.#failed(error);
    });
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    if (this.#failures === 1) this.#onError(error);
    const pause = Math.min(firstPause * 2 ** (this.#failures - 1), longestPause);
    this.#cancel = this.#timers.after(pause, () => {
      this.#cancel = undefined;
      this.#isBlocked = false;
      this.#again();
    });
  }
}
