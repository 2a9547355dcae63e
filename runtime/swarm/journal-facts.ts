import type { Facts } from '#models/facts.ts';
import type { EventLog } from './event-log.ts';

/** The facts that barriers wait for, read from the fold of the journal. */
export class JournalFacts implements Facts {
  readonly #log: EventLog;

  constructor(log: EventLog) {
    this.#log = log;
  }

  holds(fact: string): boolean {
    const cut = fact.lastIndexOf(' ');
    return this.#log.projection.fact(fact.slice(0, cut), fact.slice(cut + 1));
  }

  async when(fact: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.holds(fact)) return;
    await this.#log.until(() => this.holds(fact), signal);
  }
}
