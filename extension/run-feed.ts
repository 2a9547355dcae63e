import type { RunEvent } from '#protocol/events.ts';
import { ProjectionError } from '#protocol/projection-error.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { RunSnapshot } from '#protocol/run-snapshot.ts';

/** Where a feed gets what it has missed. */
export interface FeedSource {
  /** Events after a number, in order; a page of them. */
  events(after: number): Promise<readonly RunEvent[]>;
  snapshot(): Promise<RunSnapshot>;
}

export interface FeedListener {
  /** Folded just now, in order. */
  folded(events: readonly RunEvent[]): void;
  /** What was folded could not be gone on with: this is the state, from a new snapshot. */
  replaced(projection: RunProjection): void;
  /** Nothing more can be shown, or what was missed could not be had for now. */
  failed(error: unknown): void;
}

/**
 * Folds batches of events into a projection: those that are known already are passed over, those that are missing are
 * fetched, and where the fold contradicts itself a new snapshot takes its place.
 */
export class RunFeed {
  readonly projection: RunProjection;
  readonly #source: FeedSource;
  readonly #listener: FeedListener;
  #isCatchingUp = false;
  #hasMore = false;
  #isClosed = false;

  constructor(projection: RunProjection, source: FeedSource, listener: FeedListener) {
    this.projection = projection;
    this.#source = source;
    this.#listener = listener;
  }

  take(events: readonly RunEvent[]): void {
    if (this.#isClosed) return;
    if (this.#isCatchingUp) {
      this.#hasMore = true;
      return;
    }
    try {
      this.#fold(events);
    } catch (error) {
      if (ProjectionError.is(error, 'gap')) void this.#catchUp();
      else void this.#startAnew();
    }
  }

  /** Nothing is folded or told any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** @throws ProjectionError; what was folded before it is told */
  #fold(events: readonly RunEvent[]): void {
    const folded: RunEvent[] = [];
    try {
      for (const event of events) {
        if (event.sequence <= this.projection.version) continue;
        this.projection.apply(event);
        folded.push(event);
      }
    } finally {
      if (folded.length > 0) this.#listener.folded(folded);
    }
  }

  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    try {
      await this.#fetchRest();
    } catch (error) {
      if (this.#isClosed) return;
      if (ProjectionError.is(error)) await this.#startAnew();
      else this.#listener.failed(error);
    } finally {
      this.#isCatchingUp = false;
    }
  }

  async #fetchRest(): Promise<void> {
    this.#hasMore = false;
    const events = await this.#source.events(this.projection.version);
    if (this.#isClosed) return;
    this.#fold(events);
    if (events.length > 0 || this.#hasMore) await this.#fetchRest();
  }

  async #startAnew(): Promise<void> {
    this.#isCatchingUp = true;
    const { version } = this.projection;
    try {
      const projection = RunProjection.restore(await this.#source.snapshot());
      if (this.#isClosed) return;
      if (projection.version <= version) {
        throw new ProjectionError('contradiction', 'a new snapshot is no newer', { version });
      }
      this.close();
      this.#listener.replaced(projection);
    } catch (error) {
      if (this.#isClosed) return;
      this.close();
      this.#listener.failed(error);
    }
  }
}
