import type { Scheduler } from '#edges/scheduler.ts';
import type { RunEvent, RunStatus } from '#protocol/events.ts';
import { RunHistory } from '#protocol/history.ts';
import { errorReport } from '#protocol/rpc.ts';
import type { OpenedRun, RunOutcome } from '#protocol/runtime-api.ts';
import { RunError } from '#swarm/errors.ts';
import type { LandingReview } from '#swarm/landing-review.ts';
import type { FollowedAccess, OwnedRun } from '#swarm/run-access.ts';
import type { RunSession } from '#swarm/session.ts';

/** What a run can be to this process. */
export type Access =
  | { readonly mode: 'driving'; readonly run: RunSession }
  | { readonly mode: 'open'; readonly run: OwnedRun }
  | { readonly mode: 'following'; readonly run: FollowedAccess };

export interface ShownRunListener {
  events(store: string, events: readonly RunEvent[]): void;
  ended(store: string, outcome: RunOutcome): void;
  /** Nobody owns the store of a followed run any more. */
  freed(store: string): void;
}

/** Milliseconds in which events are gathered, so that a busy run does not cost a message each. */
const gatherInterval = 50;

/** A run as a host sees it: its events go out in batches, and while it is driven its end is told. */
export class ShownRun {
  readonly store: string;
  readonly #listener: ShownRunListener;
  readonly #scheduler: Scheduler;
  readonly #abort = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #review: LandingReview | undefined;
  #access: Access;
  #gathered: RunEvent[] = [];
  #cancelFlush: (() => void) | undefined;
  #driving: Promise<void> | undefined;
  readonly #history = new RunHistory();

  constructor(access: Access, scheduler: Scheduler, listener: ShownRunListener) {
    this.#access = access;
    this.#scheduler = scheduler;
    this.#listener = listener;
    this.store = access.run.store;
    this.#unsubscribe = access.run.subscribe((event) => {
      this.#gather(event);
    });
    this.#review = access.mode === 'following' ? undefined : startReview(access.run);
    if (access.mode === 'driving') this.#driving = this.#drive(access.run);
    if (access.mode === 'following') void this.#watchOwner(access.run);
  }

  get access(): Access {
    return this.#access;
  }

  get opened(): OpenedRun {
    return { store: this.store, version: this.#access.run.projection.version, mode: this.#access.mode };
  }

  /** @throws RunError `not-owned` */
  get review(): LandingReview {
    if (this.#review) return this.#review;
    throw new RunError('not-owned', 'another process owns the store', { store: this.store });
  }

  get isDriven(): boolean {
    return this.#access.mode === 'driving';
  }

  /** Read from the journal as far as it has been written; the first time this is the whole of it. */
  async history(): Promise<RunHistory> {
    for (const event of await this.#access.run.events(this.#history.version)) this.#history.apply(event);
    return this.#history;
  }

  /** Interrupts it, if it is driven; resolves once it has ended. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#driving;
  }

  async close(): Promise<void> {
    try {
      await this.stop();
      await this.#review?.stop();
    } finally {
      this.#unsubscribe();
      this.flush();
      // Whatever happened before: a store that is not given back can never be opened again.
      await this.#access.run.close();
    }
  }

  async #watchOwner(run: FollowedAccess): Promise<void> {
    if ((await run.ownerless) === 'closed') return;
    this.flush();
    this.#listener.freed(this.store);
  }

  async #drive(run: RunSession): Promise<void> {
    let outcome: RunOutcome;
    try {
      const status: RunStatus = await run.drive(this.#abort.signal);
      outcome = { kind: 'ended', status };
    } catch (error) {
      outcome = { kind: 'failed', error: errorReport(error) };
    }
    // It stays open: what it has built is to be looked at and landed.
    this.#access = { mode: 'open', run };
    this.flush();
    this.#listener.ended(this.store, outcome);
  }

  #gather(event: RunEvent): void {
    this.#gathered.push(event);
    this.#cancelFlush ??= this.#scheduler.after(gatherInterval, () => {
      this.flush();
    });
  }

  /** Tells what has been gathered: what is asked next is answered by it. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const events = this.#gathered;
    this.#gathered = [];
    if (events.length > 0) this.#listener.events(this.store, events);
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/** What fails by itself is tried again with the next step of the review. */
function startReview(run: OwnedRun): LandingReview {
  const review = run.review(warn);
  review.start().catch(warn);
  return review;
}
