import { EventEmitter, type Disposable, type Event } from 'vscode';
import type { RunEvent } from '#protocol/events.ts';
import type { RunProjection, RunState } from '#protocol/projection.ts';
import type { OpenedRun, RunOutcome } from '#protocol/runtime-api.ts';
import { RunFeed, type FeedListener, type FeedSource } from './run-feed.ts';

/** A run that this window shows: the fold of its events, as views read it. */
export class RunView implements Disposable {
  readonly store: string;
  readonly #changed = new EventEmitter<readonly RunEvent[]>();
  readonly #feed: RunFeed;
  #mode: OpenedRun['mode'];
  #outcome: RunOutcome | undefined;

  constructor(
    opened: OpenedRun,
    projection: RunProjection,
    source: FeedSource,
    listener: Pick<FeedListener, 'failed' | 'replaced'>,
  ) {
    this.store = opened.store;
    this.#mode = opened.mode;
    this.#feed = new RunFeed(projection, source, {
      ...listener,
      folded: (events) => {
        this.#changed.fire(events);
      },
    });
  }

  /** Events that have just been folded; none when only mode or outcome changed. */
  get onDidChange(): Event<readonly RunEvent[]> {
    return this.#changed.event;
  }
  get state(): RunState {
    return this.#feed.projection;
  }
  get mode(): OpenedRun['mode'] {
    return this.#mode;
  }
  /** How the session that this window drove has ended. */
  get outcome(): RunOutcome | undefined {
    return this.#outcome;
  }

  /** Those that are known already are passed over, those that are missing are fetched. */
  take(events: readonly RunEvent[]): void {
    this.#feed.take(events);
  }

  end(outcome: RunOutcome): void {
    this.#mode = 'open';
    this.#outcome = outcome;
    this.#changed.fire([]);
  }

  dispose(): void {
    this.#feed.close();
    this.#changed.dispose();
  }
}
