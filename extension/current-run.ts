import { EventEmitter, type Disposable, type Event } from 'vscode';
import type { RunEvent } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { ResumeRequest } from '#protocol/requests.ts';
import { RemoteError } from '#protocol/rpc.ts';
import type { RunSnapshot } from '#protocol/run-snapshot.ts';
import type { OpenedRun, RunOutcome, StartRequest } from '#protocol/runtime-api.ts';
import { RunView } from './run-view.ts';
import type { RuntimeThread } from './runtime-thread.ts';

/** What came for a run before it was shown. */
type Early =
  | { readonly store: string; readonly events: readonly RunEvent[] }
  | { readonly store: string; readonly outcome: RunOutcome };

/**
 * The run that this window shows, at most one; views follow it. Starting, resuming, opening and closing happen one
 * after the other, in the order in which they were asked for.
 */
export class CurrentRun implements Disposable {
  readonly #thread: RuntimeThread;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new EventEmitter<RunView | undefined>();
  readonly #ended = new EventEmitter<RunView>();
  #view: RunView | undefined;
  #early: Early[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `onError` is told what a view could not recover from. */
  constructor(thread: RuntimeThread, onError: (error: unknown) => void) {
    this.#thread = thread;
    this.#onError = onError;
  }

  /** Another run is shown, or none, or the same one from a new snapshot. */
  get onDidChange(): Event<RunView | undefined> {
    return this.#changed.event;
  }
  /** A run that this window drove has ended; its `outcome` tells how. */
  get onDidEnd(): Event<RunView> {
    return this.#ended.event;
  }
  get view(): RunView | undefined {
    return this.#view;
  }

  /** @throws RemoteError: nothing goes on that is not shown; `busy` while this window drives another run */
  async start(request: StartRequest): Promise<RunView> {
    return this.#queued(async () => {
      this.#refuseWhileDriving(undefined);
      return this.#replace(await this.#thread.api.startRun(request));
    });
  }

  /** @throws RemoteError: the run stays as it is; `busy` while this window drives another one */
  async resume(request: ResumeRequest): Promise<RunView> {
    return this.#queued(async () => {
      this.#refuseWhileDriving(request.store);
      try {
        return await this.#replace(await this.#thread.api.resumeRun(request));
      } catch (error) {
        // The runtime has let go of it before it found what is wrong.
        if (this.#view?.store === request.store) await this.#openAgain(request.store);
        throw error;
      }
    });
  }

  /** Shows a run without driving it. @throws RemoteError; `busy` while this window drives another one */
  async open(store: string): Promise<RunView> {
    return this.#queued(async () => {
      if (this.#view?.store === store && this.#view.mode !== 'following') return this.#view;
      this.#refuseWhileDriving(store);
      // One that was followed may be free by now.
      if (this.#view?.store === store) await this.#thread.api.closeRun(store);
      return this.#replace(await this.#thread.api.openRun(store));
    });
  }

  async close(): Promise<void> {
    await this.#queued(async () => {
      const { store } = this.#view ?? {};
      this.forget();
      if (store !== undefined && this.#thread.isRunning) await this.#thread.api.closeRun(store);
    });
  }

  /** The runtime is gone: what it drove is no longer shown as live. */
  forget(): void {
    if (this.#view === undefined) return;
    this.#view.dispose();
    this.#view = undefined;
    this.#changed.fire(undefined);
  }

  /** What the runtime tells. */
  take(store: string, events: readonly RunEvent[]): void {
    if (this.#view?.store === store) this.#view.take(events);
    else if (this.#waiting > 0) this.#early.push({ store, events });
  }

  ended(store: string, outcome: RunOutcome): void {
    if (this.#waiting > 0) this.#early.push({ store, outcome });
    else if (this.#view?.store === store) this.#end(this.#view, outcome);
  }

  /** Nobody owns the store of a followed run any more: now it is this window's. */
  freed(store: string): void {
    const open = async (): Promise<void> => {
      if (this.#view?.store !== store || this.#view.mode !== 'following') return;
      try {
        await this.open(store);
      } catch (error) {
        this.#onError(error);
      }
    };
    void open();
  }

  dispose(): void {
    this.forget();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  #end(view: RunView, outcome: RunOutcome): void {
    view.end(outcome);
    this.#ended.fire(view);
  }

  async #queued<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const before = this.#last;
    const turn = (async () => {
      await before;
      return step();
    })();
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      this.#takeEarlyEnds();
    }
  }

  async #openAgain(store: string): Promise<void> {
    try {
      await this.#replace(await this.#thread.api.openRun(store));
    } catch (error) {
      this.#onError(error);
      this.forget();
    }
  }

  /** Looked at when its turn has come: two that were asked for at once would else end each other. */
  #refuseWhileDriving(store: string | undefined): void {
    const { view } = this;
    if (view?.mode !== 'driving' || view.store === store) return;
    throw new RemoteError({
      area: 'Window',
      code: 'busy',
      message: 'this window drives another run',
      details: { store: view.store },
    });
  }

  async #replace(opened: OpenedRun): Promise<RunView> {
    const { store } = this.#view ?? {};
    let snapshot: RunSnapshot;
    try {
      snapshot = await this.#snapshot(opened.store);
    } catch (error) {
      // What nobody sees must not go on spending.
      if (opened.store !== store) await this.#closeQuietly(opened.store);
      throw error;
    }
    const view = this.#show(opened, RunProjection.restore(snapshot));
    if (store !== undefined && store !== opened.store) await this.#closeQuietly(store);
    return view;
  }

  async #closeQuietly(store: string): Promise<void> {
    try {
      await this.#thread.api.closeRun(store);
    } catch (error) {
      this.#onError(error);
    }
  }

  async #snapshot(store: string): Promise<RunSnapshot> {
    const snapshot: RunSnapshot = JSON.parse((await this.#thread.api.snapshot(store)).json);
    return snapshot;
  }

  #show(opened: OpenedRun, projection: RunProjection): RunView {
    const { store } = opened;
    this.#view?.dispose();
    const view = new RunView(
      opened,
      projection,
      {
        events: async (after) => this.#thread.api.events(store, after),
        snapshot: async () => this.#snapshot(store),
      },
      {
        replaced: (state) => {
          if (this.#view === view) this.#show({ ...opened, mode: view.mode }, state);
        },
        failed: this.#onError,
      },
    );
    this.#view = view;
    for (const one of this.#early) if (one.store === store && 'events' in one) view.take(one.events);
    this.#early = this.#early.filter((one) => 'outcome' in one);
    this.#changed.fire(view);
    return view;
  }

  /** A run may have ended before the window could show it. */
  #takeEarlyEnds(): void {
    if (this.#waiting > 0) return;
    const early = this.#early;
    this.#early = [];
    const view = this.#view;
    for (const one of early) {
      if ('outcome' in one && one.store === view?.store) this.#end(view, one.outcome);
    }
  }
}
