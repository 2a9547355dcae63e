/** Wall-clock time. The only source of time for records; injected, so that a run can be repeated. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May go backwards. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
