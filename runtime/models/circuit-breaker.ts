import type { Scheduler } from '#edges/scheduler.ts';
import { ModelError } from './errors.ts';

export interface BreakerPolicy {
  /** Failures in a row, over all calls, that open it. */
  readonly failuresToOpen: number;
  /** Milliseconds that it stays open; doubled each time its probe fails, up to `longestOpen`. */
  readonly firstOpen: number;
  readonly longestOpen: number;
  /** Milliseconds without a success after which the calls that wait give up. */
  readonly longestOutage: number;
}

/** `probing`: one call finds out whether the provider is back. */
type State = 'closed' | 'open' | 'half-open' | 'probing';

/** Keeps calls away from a provider that fails them all: a storm of retries costs money and helps nobody. */
export class CircuitBreaker {
  readonly #policy: BreakerPolicy;
  readonly #scheduler: Scheduler;
  readonly #onHalfOpen: () => void;
  #state: State = 'closed';
  #failures = 0;
  #openFor: number;
  #downFor = 0;

  /** @param onHalfOpen called when a probe may start */
  constructor(policy: BreakerPolicy, scheduler: Scheduler, onHalfOpen: () => void) {
    this.#policy = policy;
    this.#scheduler = scheduler;
    this.#onHalfOpen = onHalfOpen;
    this.#openFor = policy.firstOpen;
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  get mayProbe(): boolean {
    return this.#state === 'half-open';
  }

  probe(): void {
    this.#state = 'probing';
  }

  /** The probe ended and said nothing of the provider: it was aborted, or refused for a reason of its own. */
  probeAgain(): void {
    if (this.#state === 'probing') this.#state = 'half-open';
  }

  succeed(): void {
    this.#state = 'closed';
    this.#failures = 0;
    this.#openFor = this.#policy.firstOpen;
    this.#downFor = 0;
  }

  /** Returns an error for those who wait when the provider has been away for too long. */
  fail(error: ModelError): ModelError | undefined {
    this.#failures += 1;
    // Calls that were under way when it opened fail late, and say nothing new.
    const opens =
      this.#state === 'probing' || (this.isClosed && this.#failures >= this.#policy.failuresToOpen);
    if (!opens) return undefined;
    const outage = this.#downFor;
    this.#open();
    if (outage < this.#policy.longestOutage) return undefined;
    const seconds = Math.round(outage / 1000);
    return new ModelError(
      error.code,
      `${error.message} (for ${seconds} s every call has failed)`,
      error.details,
    );
  }

  #open(): void {
    this.#state = 'open';
    this.#scheduler.after(this.#openFor, () => {
      if (this.#state !== 'open') return;
      this.#state = 'half-open';
      this.#onHalfOpen();
    });
    this.#downFor += this.#openFor;
    this.#openFor = Math.min(this.#openFor * 2, this.#policy.longestOpen);
  }
}
