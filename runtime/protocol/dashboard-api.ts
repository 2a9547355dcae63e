import type { BlobHash, SnapshotId } from './change-sets.ts';
import type { RunEvent } from './events.ts';
import type { FieldGuideBudget } from './field-guide.ts';
import type { CommitRecord, ConflictRecord, TaskHistory } from './history.ts';
import type { OpenedRun } from './runtime-api.ts';
import type { TaskPath } from './tasks.ts';

/** The run that the window shows, as the dashboard must know it. */
export interface DashboardRun {
  readonly store: string;
  readonly mode: OpenedRun['mode'];
}

export interface DashboardSnapshot extends DashboardRun {
  /** JSON of a `RunSnapshot`. */
  readonly json: string;
  /** What has happened since it was taken. */
  readonly later: readonly RunEvent[];
}

/** Content of a file. What is too long to be read in a panel is cut at the end of a line. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'binary'; readonly bytes: number };

export interface FieldGuide {
  readonly budget: FieldGuideBudget;
  /** On trunk, by path. */
  readonly files: readonly { readonly path: string; readonly content: FileText }[];
  /** Who wrote it, oldest first. */
  readonly commits: readonly CommitRecord[];
}

export type RunAction = 'pause' | 'continue' | 'stop' | 'resume' | 'build';

/** What the dashboard may ask of its host. The host checks each argument: a webview is not trusted. */
export interface DashboardApi {
  /** Undefined while no run is shown. From here on the run's events follow. */
  snapshot(): Promise<DashboardSnapshot | undefined>;
  taskHistory(task: TaskPath): Promise<TaskHistory>;
  /** All of the run, oldest first. */
  conflicts(): Promise<readonly ConflictRecord[]>;
  /** A side of a conflict that `conflicts` has told of. */
  side(hash: BlobHash): Promise<FileText>;
  /** How a conflict that `conflicts` has told of was resolved; undefined when the file was deleted. */
  resolution(commit: SnapshotId, path: string): Promise<FileText | undefined>;
  fieldGuide(): Promise<FieldGuide>;
  act(action: RunAction): Promise<void>;
  openTranscript(task: TaskPath, attempt: number): Promise<void>;
  showChanges(task: TaskPath): Promise<void>;
  /** Shows what waits for the user's decision. */
  reviewLanding(): Promise<void>;
  /** Something of a run, or that there is none, has been painted. */
  painted(): Promise<void>;
}

/** What the host tells the dashboard while it is seen. */
export interface DashboardView {
  /** In order. A number that is missing is answered by a new snapshot. */
  events(store: string, events: readonly RunEvent[]): void;
  /** Another run is shown, or none, or it is driven by another. */
  changed(run: DashboardRun | undefined): void;
}
