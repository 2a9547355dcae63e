import type {
  DashboardApi,
  DashboardRun,
  DashboardSnapshot,
  DashboardView,
} from '#protocol/dashboard-api.ts';
import type { RunEvent } from '#protocol/events.ts';
import { RunProjection, type RunState } from '#protocol/projection.ts';
import type { RunSnapshot } from '#protocol/run-snapshot.ts';
import { CommitPace } from './commit-pace.ts';
import { Pace, type Timers } from './pace.ts';

/** What the page shows. The state is live: `RunStore.version` tells when it has changed. */
export type Shown =
  | { readonly kind: 'loading' }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'run'; readonly run: DashboardRun; readonly state: RunState; readonly pace: CommitPace };

type ShownRun = Extract<Shown, { kind: 'run' }> & { readonly state: RunProjection };

/** Milliseconds between two drawings, and before a snapshot that did not help is asked for again. */
const drawInterval = 250;
const retryInterval = 1000;

/**
 * The run as its events have left it: a snapshot from the host, then the events that follow on it. When one is missing,
 * or does not fit, a new snapshot is asked for; until it comes the last state stays in sight.
 */
export class RunStore implements DashboardView {
  readonly #host: Pick<DashboardApi, 'snapshot'>;
  readonly #timers: Timers;
  /** Of the clock that events are stamped with. */
  readonly #clock: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #drawing: Pace;
  #shown: Exclude<Shown, { kind: 'run' }> | ShownRun = { kind: 'loading' };
  #version = 0;
  /** Events that came while a snapshot was on its way. */
  #early: { readonly store: string; readonly events: readonly RunEvent[] }[] | undefined;
  #isOutdated = false;
  #isReloadPlanned = false;
  #lastLoad = Number.NEGATIVE_INFINITY;

  constructor(host: Pick<DashboardApi, 'snapshot'>, timers: Timers, clock: () => number) {
    this.#host = host;
    this.#timers = timers;
    this.#clock = clock;
    this.#drawing = new Pace(
      drawInterval,
      () => {
        this.#version += 1;
        for (const listener of this.#listeners) listener();
      },
      timers,
    );
  }

  get shown(): Shown {
    return this.#shown;
  }
  /** Rises with each change that is to be drawn. */
  readonly version = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Asks for a snapshot; a second call while it is on its way makes it ask once more. */
  async load(): Promise<void> {
    if (this.#early) {
      this.#isOutdated = true;
      return;
    }
    this.#early = [];
    this.#isOutdated = false;
    this.#lastLoad = this.#timers.now();
    try {
      this.#take(await this.#host.snapshot());
    } catch (error) {
      this.#shown = { kind: 'failed', error };
    }
    const early = this.#early;
    this.#early = undefined;
    this.#drawing.ask();
    if (this.#isOutdated) await this.load();
    else for (const { store, events } of early) this.events(store, events);
  }

  events(store: string, events: readonly RunEvent[]): void {
    if (this.#early) {
      this.#early.push({ store, events });
      return;
    }
    if (this.#shown.kind !== 'run' || this.#shown.run.store !== store) return;
    if (!this.#fold(this.#shown, events)) this.#reload();
    this.#drawing.ask();
  }

  changed(run: DashboardRun | undefined): void {
    const isSame = run !== undefined && this.#shown.kind === 'run' && this.#shown.run.store === run.store;
    if (this.#early || (run && !isSame)) void this.load();
    else if (!run) this.#shown = { kind: 'none' };
    else if (this.#shown.kind === 'run') this.#shown = { ...this.#shown, run };
    this.#drawing.ask();
  }

  #take(snapshot: DashboardSnapshot | undefined): void {
    if (!snapshot) {
      this.#shown = { kind: 'none' };
      return;
    }
    performance.mark('dashboard-snapshot');
    const { store, mode, json, later } = snapshot;
    const record: RunSnapshot = JSON.parse(json);
    const known =
      this.#shown.kind === 'run' && this.#shown.run.store === store ? this.#shown.pace : undefined;
    const pace = known ?? new CommitPace(this.#clock());
    this.#shown = { kind: 'run', run: { store, mode }, state: RunProjection.restore(record), pace };
    if (!this.#fold(this.#shown, later)) this.#isOutdated = true;
  }

  /** False when an event is missing, or does not fit to what is known. */
  #fold({ state, pace }: ShownRun, events: readonly RunEvent[]): boolean {
    for (const event of events) {
      if (event.sequence <= state.version) continue;
      try {
        state.apply(event);
      } catch (error) {
        console.warn('events do not follow on each other:', error);
        return false;
      }
      if (event.type === 'vcs.committed') pace.add(event.time);
    }
    return true;
  }

  #reload(): void {
    if (this.#isReloadPlanned) return;
    this.#isReloadPlanned = true;
    const load = (): void => {
      this.#isReloadPlanned = false;
      void this.load();
    };
    const wait = this.#lastLoad + retryInterval - this.#timers.now();
    if (wait <= 0) load();
    else this.#timers.after(wait, load);
  }
}
