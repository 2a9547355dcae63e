import type { Evidence } from '#protocol/events.ts';
import type { Snapshot } from '#vcs/repository.ts';
import { limits, type SwarmEnvironment } from './environment.ts';

/** Lines of output that an evidence record keeps. */
const tailLines = 40;

/**
 * Between two verifications while others work: trunk moves faster than it can be verified. At least a second, and twice
 * as long as the last one took, so that the keeper has a third of a core at most.
 */
const shortestPause = 1000;

/** Milliseconds: a run that is out of time may still show what it has. */
const shortestVerification = 10_000;

/**
 * Verifies trunk and moves green, only with evidence. It stands in nobody's way: it looks at the newest trunk when it
 * has time, and no submit waits for it.
 */
export class Keeper {
  readonly #environment: SwarmEnvironment;
  readonly #command: string;
  #running: Promise<void> | undefined;
  #resting = false;
  /** True while what an earlier session could not verify is to be tried again: what it lacked may be there now. */
  #isOwed: boolean;

  constructor(environment: SwarmEnvironment, command: string) {
    this.#environment = environment;
    this.#command = command;
    const { green, lastVerification } = environment.log.projection;
    this.#isOwed = lastVerification !== undefined && lastVerification.snapshot !== green?.snapshot;
  }

  /** True when the newest trunk has been verified, whatever came out. */
  get isCurrent(): boolean {
    const { projection } = this.#environment.log;
    const last = projection.lastVerification;
    return (
      !this.#isOwed &&
      last?.snapshot === this.#environment.repository.head().id &&
      // A run that goes on may have been given another command.
      last.command === this.#command
    );
  }

  get #pause(): number {
    const last = this.#environment.log.projection.lastVerification?.milliseconds ?? 0;
    return Math.max(shortestPause, 2 * last);
  }

  /** A verification ends with the run's time, when that has a cap. */
  get #milliseconds(): number {
    const { log, options } = this.#environment;
    const { milliseconds } = limits.verification;
    if (options.caps.minutes === undefined) return milliseconds;
    const left = options.caps.minutes * 60_000 - log.projection.workedMilliseconds;
    return Math.min(milliseconds, Math.max(left, shortestVerification));
  }

  /** Starts a verification of the newest trunk if one is due and none runs. `last`: without a pause. */
  look(
    last: boolean,
    signal: AbortSignal,
    failed: (error: unknown) => Promise<void>,
    done: () => void,
  ): void {
    if (this.#running !== undefined || this.isCurrent || (this.#resting && !last)) return;
    this.#resting = true;
    this.#running = (async (): Promise<void> => {
      try {
        await this.#verify(this.#environment.repository.head(), signal);
      } catch (error) {
        await failed(error);
      } finally {
        this.#running = undefined;
        this.#environment.scheduler.after(this.#pause, () => {
          this.#resting = false;
          done();
        });
        done();
      }
    })();
  }

  /** Resolves when no verification runs. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #verify(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const { runner, log } = this.#environment;
    const result = await runner.run(
      'keeper',
      snapshot,
      this.#command,
      { ...limits.verification, milliseconds: this.#milliseconds },
      signal,
    );
    const evidence: Evidence = {
      snapshot: snapshot.id,
      command: this.#command,
      exitCode: result.exitCode,
      ended: result.ended,
      milliseconds: result.milliseconds,
      tail: result.output.split('\n').slice(-tailLines).join('\n'),
      environment: result.environment,
    };
    const passed = result.ended === 'exit' && result.exitCode === 0;
    await log.publish({ type: passed ? 'verify.passed' : 'verify.failed', evidence });
    this.#isOwed = false;
  }
}
