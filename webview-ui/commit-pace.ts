/** Milliseconds that the pace is measured over. */
const span = 10_000;

/** How fast commits come, as far as this page has seen them come. */
export class CommitPace {
  readonly #since: number;
  #times: number[] = [];

  /** @param since when the page began to look, in the clock of the events */
  constructor(since: number) {
    this.#since = since;
  }

  add(time: number): void {
    this.#times.push(time);
  }

  /** Commits a second over the last seconds; undefined before it has looked for a second. */
  perSecond(now: number): number | undefined {
    const looked = Math.min(span, now - this.#since);
    if (looked < 1000) return undefined;
    this.#times = this.#times.filter((time) => time > now - span);
    return (this.#times.length * 1000) / looked;
  }
}
