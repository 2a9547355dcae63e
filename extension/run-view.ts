import { EventEmitter, type Disposable, type Event } from 'vscode';
import type { RunEvent } from '#protocol/events.ts';
import { RunProjection, type RunState } from '#protocol/projection.ts';
import type { OpenedRun, RunOutcome } from '#protocol/runtime-api.ts';

/** A run that this window shows: the fold of its events, as views read it. */
export class RunView implements Disposable {
  readonly store: string;
  readonly #changed = new EventEmitter<readonly RunEvent[]>();
  #mode: OpenedRun['mode'];
  #outcome: RunOutcome | undefined;
  readonly #projection: RunProjection;

  constructor(opened: OpenedRun, projection: RunProjection) {
    this.store = opened.store;
    this.#mode = opened.mode;
    this.#projection = projection;
  }

  /** Events that have just been folded; none when only mode or outcome changed. */
  get onDidChange(): Event<readonly RunEvent[]> {
    return this.#changed.event;
  }
  get state(): RunState {
    return this.#projection;
  }
  get mode(): OpenedRun['mode'] {
    return this.#mode;
  }
  /** How the session that this window drove has ended. */
  get outcome(): RunOutcome | undefined {
    return this.#outcome;
  }

  /** Those that are known already are passed over: a snapshot may be newer than a batch that was under way. */
  take(events: readonly RunEvent[]): void {
    const fresh = events.filter((event) => event.sequence > this.#projection.version);
    for (const event of fresh) this.#projection.apply(event);
    if (fresh.length > 0) this.#changed.fire(fresh);
  }

  end(outcome: RunOutcome): void {
    this.#mode = 'open';
    this.#outcome = outcome;
    this.#changed.fire([]);
  }

  /** It is driven again by this window. */
  drive(): void {
    this.#mode = 'driving';
    this.#outcome = undefined;
    this.#changed.fire([]);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
