import { abortError } from '#edges/abort.ts';

interface Waiting {
  readonly first: boolean;
  readonly take: () => void;
}

/** The places for agents that are at work. An agent that waits for anything but its own call or command holds none. */
export class Slots {
  #free: number;
  readonly #waiting: Waiting[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot; agents that go on come before those that start. Rejects with the signal's reason when it aborts. */
  async take(signal: AbortSignal, first: boolean): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        first,
        take: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(abortError(signal));
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
    });
  }

  give(): void {
    const at = this.#waiting.findIndex((waiting) => waiting.first);
    const [next] = this.#waiting.splice(Math.max(at, 0), 1);
    if (next) next.take();
    else this.#free += 1;
  }
}

/** One agent's hold on a slot. */
export class SlotHold {
  readonly #slots: Slots;
  #held = false;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  async take(signal: AbortSignal, first = true): Promise<void> {
    if (this.#held) return;
    await this.#slots.take(signal, first);
    this.#held = true;
  }

  give(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#slots.give();
  }

  /** Waits for `waited` without holding the slot, unless it is there at once. */
  async without(waited: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const notYet = Symbol('not yet');
    const now = new Promise((resolve) => {
      setImmediate(resolve, notYet);
    });
    if ((await Promise.race([waited, now])) === notYet) this.give();
    await waited;
    await this.take(signal);
  }
}
