import type { Host } from './host.ts';

/** A stopping run has this long to close what is open before the process is ended. */
const stopMilliseconds = 4_000;
/** npm passes on a Ctrl-C that the terminal has sent to the whole group: what comes this soon is the same one. */
const echoMilliseconds = 400;

/** The exit code of what was interrupted. */
export const interruptedCode = 130;

export interface InterruptHandlers {
  /** At the first Ctrl-C. */
  readonly onFirst: () => void;
  /** At the second one, or when what was to stop took too long; the process ends when it returns. */
  readonly onForced: () => void;
}

/**
 * Ctrl-C, SIGTERM and SIGHUP, from the moment it is made: the first aborts the signal, a second one ends the process.
 * Nothing that was acknowledged is lost either way.
 */
export class Interrupts {
  readonly #host: Host;
  readonly #abort = new AbortController();
  readonly #stopListening: () => void;
  #handlers: InterruptHandlers | undefined;
  #firstAt = 0;
  #forced = false;
  #cancelDeadline: (() => void) | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#stopListening = host.onInterrupt(() => {
      this.#onInterrupt();
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Who is told from now on; undefined for nobody. */
  tell(handlers: InterruptHandlers | undefined): void {
    this.#handlers = handlers;
  }

  dispose(): void {
    this.#stopListening();
    this.#cancelDeadline?.();
  }

  #onInterrupt(): void {
    const { clock, scheduler } = this.#host.edges;
    if (this.#abort.signal.aborted) {
      if (clock.now() - this.#firstAt >= echoMilliseconds) this.#force();
      return;
    }
    this.#firstAt = clock.now();
    this.#cancelDeadline = scheduler.after(stopMilliseconds, () => {
      this.#force();
    });
    this.#handlers?.onFirst();
    this.#abort.abort(new Error('interrupted'));
  }

  #force(): void {
    if (this.#forced) return;
    this.#forced = true;
    this.#handlers?.onForced();
    this.#host.exit(interruptedCode);
  }
}

/** Listens to interrupts while `work` goes on. */
export async function withInterrupts<Result>(
  host: Host,
  work: (interrupts: Interrupts) => Promise<Result>,
): Promise<Result> {
  const interrupts = new Interrupts(host);
  try {
    return await work(interrupts);
  } finally {
    interrupts.dispose();
  }
}
