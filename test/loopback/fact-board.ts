import type { Facts } from '#models/facts.ts';

/** Facts that a test puts up by hand. */
export class FactBoard implements Facts {
  readonly #facts = new Set<string>();
  readonly #waiting = new Map<() => void, string>();

  put(fact: string): void {
    this.#facts.add(fact);
    for (const [wake, wanted] of this.#waiting) {
      if (wanted === fact) wake();
    }
  }

  holds(fact: string): boolean {
    return this.#facts.has(fact);
  }

  async when(fact: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.holds(fact)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(resolve, fact);
    signal.addEventListener('abort', () => {
      resolve();
    });
    await promise;
    this.#waiting.delete(resolve);
    signal.throwIfAborted();
  }
}
