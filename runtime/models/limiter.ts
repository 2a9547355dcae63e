import type { Randomness } from '#edges/randomness.ts';
import type { Scheduler } from '#edges/scheduler.ts';
import { CircuitBreaker, type BreakerPolicy } from './circuit-breaker.ts';
import { ModelError } from './errors.ts';

export interface LimiterPolicy extends BreakerPolicy {
  /** Calls at once: at the start, and at most. */
  readonly firstConcurrency: number;
  readonly mostConcurrency: number;
  /** Milliseconds after which one more call may start although none has ended, while nothing fails. */
  readonly rampInterval: number;
  readonly retries: number;
  /** Of calls that were not answered in time: each try is as long as the limit on silence. */
  readonly timeoutRetries: number;
  /** Milliseconds: the n-th retry waits a random part of `firstBackoff` x 2^(n - 1), of `longestBackoff` at most. */
  readonly firstBackoff: number;
  readonly longestBackoff: number;
  /** Milliseconds of `Retry-After` that are waited for; a call that is to wait longer fails. */
  readonly longestRetryAfter: number;
}

const defaultPolicy: LimiterPolicy = {
  firstConcurrency: 4,
  mostConcurrency: 256,
  rampInterval: 500,
  retries: 4,
  timeoutRetries: 1,
  firstBackoff: 1000,
  longestBackoff: 60_000,
  longestRetryAfter: 15 * 60_000,
  failuresToOpen: 8,
  firstOpen: 5000,
  longestOpen: 60_000,
  longestOutage: 120_000,
};

/** A retry that is about to be waited for. */
export interface Retry {
  readonly error: ModelError;
  /** 1 for the first. */
  readonly retry: number;
  /** Milliseconds until it is made. */
  readonly wait: number;
}

/** The right to make one attempt. */
interface Pass {
  /** How often concurrency had been cut when the attempt began. */
  readonly cuts: number;
  readonly isProbe: boolean;
}

/** setTimeout's largest: a waiting call sleeps until it is woken. */
const untilWoken = 2 ** 31 - 1;

/**
 * All calls to one provider go through one of these. Concurrency starts small, grows with successes and with time, and
 * is halved when the provider says that it is too much (additive increase, multiplicative decrease: Chiu and Jain
 * 1989, as in TCP). What may be tried again is, a bounded number of times, after `Retry-After` and a backoff with full
 * jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/); a call that waits for its retry
 * takes up no concurrency.
 */
export class Limiter {
  readonly #scheduler: Scheduler;
  readonly #randomness: Randomness;
  readonly #policy: LimiterPolicy;
  readonly #breaker: CircuitBreaker;
  readonly #queue: ((result: Pass | ModelError) => void)[] = [];
  #concurrency: number;
  /** Below it concurrency grows by one a success, above it by one a round: where it was too much the last time. */
  #threshold: number;
  #cuts = 0;
  #running = 0;
  /** `Retry-After`s that have not passed: while there are any, nothing starts. */
  #pauses = 0;
  #isRamping = false;

  constructor(
    edges: { readonly scheduler: Scheduler; readonly randomness: Randomness },
    policy: Partial<LimiterPolicy> = {},
  ) {
    this.#scheduler = edges.scheduler;
    this.#randomness = edges.randomness;
    this.#policy = { ...defaultPolicy, ...policy };
    this.#concurrency = this.#policy.firstConcurrency;
    this.#threshold = this.#policy.mostConcurrency;
    this.#breaker = new CircuitBreaker(this.#policy, this.#scheduler, () => {
      this.#startNext();
    });
  }

  /**
   * Makes attempts until one succeeds, fails for good, or the retries are used up; returns or throws what the last one
   * did. Throws the last error of the provider, without an attempt, when it has been away for too long; throws the
   * signal's reason when it aborts while waiting.
   */
  async run<Result>(
    attempt: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
    onRetry?: (retry: Retry) => void,
  ): Promise<Result> {
    for (let retry = 1; ; retry += 1) {
      // oxlint-disable-next-line no-await-in-loop -- a retry comes after what it repeats
      const outcome = await this.#attemptOnce(attempt, signal);
      if (outcome.kind === 'success') return outcome.result;
      const { error } = outcome;
      const wait = this.#backoff(retry) + (error.retryAfter ?? 0);
      const { retries, timeoutRetries, longestRetryAfter } = this.#policy;
      const most = error.code === 'timeout' ? Math.min(timeoutRetries, retries) : retries;
      if (retry > most || (error.retryAfter ?? 0) > longestRetryAfter) throw error;
      onRetry?.({ error, retry, wait });
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#scheduler.sleep(wait, signal);
    }
  }

  async #attemptOnce<Result>(
    attempt: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'success'; readonly result: Result }
    | { readonly kind: 'failure'; readonly error: ModelError }
  > {
    const pass = await this.#enter(signal);
    try {
      const result = await attempt(signal);
      this.#succeed(pass);
      return { kind: 'success', result };
    } catch (error) {
      if (ModelError.is(error) && error.isRetryable) {
        this.#fail(pass, error);
        return { kind: 'failure', error };
      }
      if (pass.isProbe) this.#breaker.probeAgain();
      throw error;
    } finally {
      this.#leave();
    }
  }

  #backoff(retry: number): number {
    const { firstBackoff, longestBackoff } = this.#policy;
    return this.#randomness.next() * Math.min(firstBackoff * 2 ** (retry - 1), longestBackoff);
  }

  /** Waits for its turn: first come, first served. */
  async #enter(signal: AbortSignal): Promise<Pass> {
    signal.throwIfAborted();
    const woken = new AbortController();
    let result: Pass | ModelError | undefined;
    const wake = (given: Pass | ModelError): void => {
      result = given;
      woken.abort();
    };
    this.#queue.push(wake);
    this.#startNext();
    this.#ramp();
    if (!result) {
      await this.#scheduler.sleep(untilWoken, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
    }
    return this.#afterWaiting(result, wake, signal);
  }

  #afterWaiting(
    result: Pass | ModelError | undefined,
    wake: (given: Pass | ModelError) => void,
    signal: AbortSignal,
  ): Pass {
    if (result instanceof ModelError) throw result;
    if (signal.aborted) {
      if (result) this.#giveBack(result);
      else this.#queue.splice(this.#queue.indexOf(wake), 1);
      signal.throwIfAborted();
    }
    if (!result) throw new Error('a call was woken without a pass');
    return result;
  }

  #giveBack(pass: Pass): void {
    if (pass.isProbe) this.#breaker.probeAgain();
    this.#leave();
  }

  #leave(): void {
    this.#running -= 1;
    this.#startNext();
  }

  #mayStart(): boolean {
    if (this.#pauses > 0) return false;
    return (
      this.#breaker.mayProbe || (this.#breaker.isClosed && this.#running < Math.floor(this.#concurrency))
    );
  }

  #startNext(): void {
    while (this.#mayStart()) {
      const wake = this.#queue.shift();
      if (!wake) return;
      const isProbe = this.#breaker.mayProbe;
      if (isProbe) this.#breaker.probe();
      this.#running += 1;
      wake({ cuts: this.#cuts, isProbe });
    }
  }

  /** Answers can take minutes; a provider that has not complained takes one more before they are there. */
  #ramp(): void {
    if (this.#isRamping || this.#queue.length === 0) return;
    this.#isRamping = true;
    this.#scheduler.after(this.#policy.rampInterval, () => {
      this.#isRamping = false;
      if (this.#pauses === 0 && this.#breaker.isClosed) this.#grow(1);
      this.#startNext();
      this.#ramp();
    });
  }

  #grow(by: number): void {
    this.#concurrency = Math.min(this.#concurrency + by, this.#policy.mostConcurrency);
  }

  #succeed(pass: Pass): void {
    // A provider that comes back is not met by everyone at once.
    if (pass.isProbe) this.#concurrency = Math.min(this.#concurrency, this.#policy.firstConcurrency);
    this.#breaker.succeed();
    // Successes that did not use all of it say nothing about more.
    if (this.#running < Math.floor(this.#concurrency)) return;
    this.#grow(this.#concurrency < this.#threshold ? 1 : 1 / this.#concurrency);
  }

  #fail(pass: Pass, error: ModelError): void {
    const isTooMuch = error.code === 'rate-limited' || error.code === 'overloaded';
    // Calls that had begun before the last cut complain of what has been cut already.
    if (isTooMuch && pass.cuts === this.#cuts) {
      this.#cuts += 1;
      this.#concurrency = Math.max(1, this.#concurrency / 2);
      this.#threshold = this.#concurrency;
    }
    if (error.retryAfter !== undefined && error.retryAfter <= this.#policy.longestRetryAfter) {
      this.#pause(error.retryAfter);
    }
    const givingUp = this.#breaker.fail(error);
    if (givingUp) {
      for (const wake of this.#queue.splice(0)) wake(givingUp);
    }
  }

  #pause(milliseconds: number): void {
    this.#pauses += 1;
    this.#scheduler.after(milliseconds, () => {
      this.#pauses -= 1;
      this.#startNext();
    });
  }
}
