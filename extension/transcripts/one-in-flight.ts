/** A step that takes its time: two never run at once. However often it is asked for meanwhile, `again` is told once, after it. */
export class OneInFlight {
  readonly #step: () => Promise<void>;
  readonly #again: () => void;
  #isRunning = false;
  #isWanted = false;

  constructor(step: () => Promise<void>, again: () => void) {
    this.#step = step;
    this.#again = again;
  }

  /** Resolves when the step is over; at once when it is under way. Rejects as the step does. */
  async run(): Promise<void> {
    if (this.#isRunning) {
      this.#isWanted = true;
      return;
    }
    this.#isRunning = true;
    try {
      await this.#step();
    } finally {
      this.#isRunning = false;
      if (this.#isWanted) {
        this.#isWanted = false;
        this.#again();
      }
    }
  }
}
