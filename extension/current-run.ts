import { EventEmitter, type Disposable, type Event } from 'vscode';
import type { RunEvent } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { ResumeRequest } from '#protocol/requests.ts';
import type { RunSnapshot } from '#protocol/run-snapshot.ts';
import type { OpenedRun, RunOutcome, StartRequest } from '#protocol/runtime-api.ts';
import { RunView } from './run-view.ts';
import type { RuntimeThread } from './runtime-thread.ts';

/** The run that this window shows, at most one; views follow it. */
export class CurrentRun implements Disposable {
  readonly #thread: RuntimeThread;
  readonly #changed = new EventEmitter<RunView | undefined>();
  #view: RunView | undefined;
  /** Events of a run whose snapshot is on its way. */
  #early: { readonly store: string; readonly events: readonly RunEvent[] }[] = [];

  constructor(thread: RuntimeThread) {
    this.#thread = thread;
  }

  /** Another run is shown, or none. */
  get onDidChange(): Event<RunView | undefined> {
    return this.#changed.event;
  }
  get view(): RunView | undefined {
    return this.#view;
  }

  /** @throws RemoteError: nothing was started */
  async start(request: StartRequest): Promise<RunView> {
    await this.close();
    return this.#show(await this.#thread.api.startRun(request));
  }

  /** @throws RemoteError: the run stays as it is */
  async resume(request: ResumeRequest): Promise<RunView> {
    await this.close();
    return this.#show(await this.#thread.api.resumeRun(request));
  }

  /** Shows a run without driving it. @throws RemoteError */
  async open(store: string): Promise<RunView> {
    await this.close();
    return this.#show(await this.#thread.api.openRun(store));
  }

  async close(): Promise<void> {
    const { store } = this.#view ?? {};
    this.forget();
    if (store !== undefined && this.#thread.isRunning) await this.#thread.api.closeRun(store);
  }

  /** The runtime is gone: what it drove is no longer shown as live. */
  forget(): void {
    const view = this.#view;
    this.#view = undefined;
    this.#early = [];
    if (view === undefined) return;
    view.dispose();
    this.#changed.fire(undefined);
  }

  /** What the runtime tells. */
  take(store: string, events: readonly RunEvent[]): void {
    if (this.#view?.store === store) this.#view.take(events);
    else this.#early.push({ store, events });
  }

  ended(store: string, outcome: RunOutcome): void {
    if (this.#view?.store === store) this.#view.end(outcome);
    else this.#endedEarly.set(store, outcome);
  }

  readonly #endedEarly = new Map<string, RunOutcome>();

  async #show(opened: OpenedRun): Promise<RunView> {
    const { json } = await this.#thread.api.snapshot(opened.store);
    const snapshot: RunSnapshot = JSON.parse(json);
    const view = new RunView(opened, RunProjection.restore(snapshot));
    this.#view = view;
    for (const { store, events } of this.#early) if (store === opened.store) view.take(events);
    this.#early = [];
    const outcome = this.#endedEarly.get(opened.store);
    this.#endedEarly.clear();
    if (outcome) view.end(outcome);
    this.#changed.fire(view);
    return view;
  }

  dispose(): void {
    this.forget();
    this.#changed.dispose();
  }
}
