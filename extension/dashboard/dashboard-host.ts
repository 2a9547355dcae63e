import type {
  DashboardApi,
  DashboardRun,
  DashboardSnapshot,
  DashboardView,
  FieldGuide,
  FileText,
  RunAction,
} from '#protocol/dashboard-api.ts';
import type { RunEvent } from '#protocol/events.ts';
import { defaultFieldGuide } from '#protocol/field-guide.ts';
import type { ConflictRecord, TaskHistory } from '#protocol/history.ts';
import type { RunState } from '#protocol/projection.ts';
import type { RuntimeApi } from '#protocol/runtime-api.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { DashboardError } from './errors.ts';
import { fileText } from './file-text.ts';

/** What of the runtime the dashboard needs. */
export type DashboardRuntime = Pick<
  RuntimeApi,
  'snapshot' | 'taskHistory' | 'conflictHistory' | 'blob' | 'fileAt' | 'trunkFiles' | 'commitsBelow'
>;

/** The run that is shown, and its fold: what is known. */
export interface ShownRun extends DashboardRun {
  readonly state: RunState;
}

export interface DashboardActions {
  act(action: RunAction): Promise<void>;
  openTranscript(task: TaskPath, attempt: number): Promise<void>;
  showChanges(task: TaskPath): Promise<void>;
  reviewLanding(): Promise<void>;
  painted(): void;
}

export interface DashboardHostParts {
  /** Asked for when it is needed: that may start it. */
  readonly runtime: () => DashboardRuntime;
  readonly run: () => ShownRun | undefined;
  readonly view: DashboardView;
  readonly actions: DashboardActions;
}

/** A snapshot that is on its way, with the events that came after it was asked for. */
interface Fetched {
  readonly store: string;
  readonly text: Promise<string>;
  readonly later: RunEvent[];
}

/**
 * The host's end of a dashboard. The first snapshot is fetched while the page loads; events go out once the page has its
 * snapshot, and none while nobody sees it. Knows no editor.
 */
export class DashboardHost implements DashboardApi {
  readonly #parts: DashboardHostParts;
  #fetched: Fetched | undefined;
  #isFollowed = false;
  /** Files that `conflicts` has named: others are not given away. */
  readonly #sides = new Set<string>();
  readonly #resolutions = new Set<string>();

  constructor(parts: DashboardHostParts) {
    this.#parts = parts;
    this.fetch();
  }

  /** A page is about to load: its snapshot can be made meanwhile. */
  fetch(): void {
    this.#isFollowed = false;
    const run = this.#parts.run();
    this.#fetched = run && this.#fetch(run.store);
  }

  /** Nobody sees the page any more. */
  hide(): void {
    this.#isFollowed = false;
    this.#fetched = undefined;
  }

  /** The run has gone on; without events only its mode has changed. */
  told(run: ShownRun, events: readonly RunEvent[]): void {
    if (this.#fetched?.store === run.store) this.#fetched.later.push(...events);
    if (!this.#isFollowed) return;
    if (events.length > 0) this.#parts.view.events(run.store, events);
    else this.#parts.view.changed({ store: run.store, mode: run.mode });
  }

  /** Another run is shown, or none. */
  changed(): void {
    this.#fetched = undefined;
    this.#sides.clear();
    this.#resolutions.clear();
    const run = this.#parts.run();
    if (this.#isFollowed) this.#parts.view.changed(run && { store: run.store, mode: run.mode });
  }

  async snapshot(): Promise<DashboardSnapshot | undefined> {
    this.#isFollowed = true;
    const run = this.#parts.run();
    if (!run) return undefined;
    const fetched = this.#fetched?.store === run.store ? this.#fetched : this.#fetch(run.store);
    this.#fetched = undefined;
    return { store: run.store, mode: run.mode, json: await fetched.text, later: fetched.later };
  }

  async taskHistory(task: TaskPath): Promise<TaskHistory> {
    const { store } = this.#runWith(task);
    return this.#parts.runtime().taskHistory(store, task);
  }

  async conflicts(): Promise<readonly ConflictRecord[]> {
    const { store } = this.#run();
    const records = await this.#parts.runtime().conflictHistory(store);
    for (const { conflicts, outcome } of records) {
      for (const { path, base, trunk, ours } of conflicts) {
        for (const side of [base, trunk, ours]) if (side) this.#sides.add(side.hash);
        if (outcome.kind === 'resolved') this.#resolutions.add(`${outcome.commit.commit} ${path}`);
      }
    }
    return records;
  }

  async side(hash: string): Promise<FileText> {
    const { store } = this.#run();
    if (!this.#sides.has(hash)) throw new DashboardError('unknown', 'no conflict has this side', { hash });
    return fileText(await this.#parts.runtime().blob(store, hash));
  }

  async resolution(commit: string, path: string): Promise<FileText | undefined> {
    const { store } = this.#run();
    if (!this.#resolutions.has(`${commit} ${path}`))
      throw new DashboardError('unknown', 'this commit resolves no conflict on the path', { commit, path });
    const bytes = await this.#parts.runtime().fileAt(store, commit, path);
    return bytes && fileText(bytes);
  }

  async fieldGuide(): Promise<FieldGuide> {
    const { store } = this.#run();
    const { folder } = defaultFieldGuide;
    const [files, commits] = await Promise.all([
      this.#parts.runtime().trunkFiles(store, folder),
      this.#parts.runtime().commitsBelow(store, folder),
    ]);
    return {
      budget: defaultFieldGuide,
      files: files.map(({ path, bytes }) => ({ path, content: fileText(bytes) })),
      commits,
    };
  }

  async act(action: RunAction): Promise<void> {
    await this.#parts.actions.act(action);
  }

  async openTranscript(task: TaskPath, attempt: number): Promise<void> {
    const known = this.#runWith(task).state.task(task).attempt;
    if (attempt > known) throw new DashboardError('unknown', 'no such attempt', { task, attempt });
    await this.#parts.actions.openTranscript(task, attempt);
  }

  async reviewLanding(): Promise<void> {
    await this.#parts.actions.reviewLanding();
  }

  async showChanges(task: TaskPath): Promise<void> {
    this.#runWith(task);
    await this.#parts.actions.showChanges(task);
  }

  async painted(): Promise<void> {
    this.#parts.actions.painted();
  }

  #fetch(store: string): Fetched {
    const text = this.#parts
      .runtime()
      .snapshot(store)
      .then(({ json }) => json);
    // When it fails and no page asks for it, nobody is to be told.
    text.catch(() => undefined);
    return { store, text, later: [] };
  }

  #run(): ShownRun {
    const run = this.#parts.run();
    if (run) return run;
    throw new DashboardError('no-run', 'no run is shown');
  }

  #runWith(task: TaskPath): ShownRun {
    const run = this.#run();
    if (run.state.tasks.has(task)) return run;
    throw new DashboardError('unknown', 'the run has no such task', { task });
  }
}
