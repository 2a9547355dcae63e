import type { ParkedId, SubmitOutcome } from '#protocol/change-sets.ts';
import { formatSubmitId } from '#protocol/change-sets.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { History } from './history.ts';
import type { LeftOut, LogEntry, ParkedEntry, ParkedRequest, StoredRecord } from './record-codec.ts';

export interface ParkedState {
  readonly entry: ParkedEntry;
  readonly request: ParkedRequest;
}

/** What the log says so far: a fold over its records, the same while it is written and when it is opened again. */
export class LogState {
  readonly history: History = new History();
  readonly #parked = new Map<ParkedId, ParkedState>();
  readonly #fences = new Map<TaskPath, number>();
  readonly #outcomes = new Map<string, StoredRecord>();
  #leftOut: readonly LeftOut[] = [];

  /** Takes in the next record. @throws VcsError `damaged` */
  apply(record: StoredRecord): void {
    const { entry } = record;
    if (entry === undefined) return;
    switch (entry.kind) {
      case 'commit':
        this.history.add(entry);
        if (entry.resolves !== undefined) this.#parked.delete(entry.resolves);
        if (record.leftOut !== undefined) this.#leftOut = record.leftOut;
        break;
      case 'parked':
        if (record.parked === undefined) break;
        if (entry.replaces !== undefined) this.#parked.delete(entry.replaces);
        this.#parked.set(entry.parked, { entry, request: record.parked });
        break;
      case 'dropped':
        this.#parked.delete(entry.parked);
        break;
      case 'fence':
        this.#fences.set(entry.task, Math.max(entry.epoch, this.fence(entry.task)));
        break;
      case 'rejected':
        break;
      default:
        entry satisfies never;
    }
    if ('submit' in entry) this.#outcomes.set(formatSubmitId(entry.submit), record);
  }

  /** The lowest epoch that may still submit for the task. */
  fence(task: TaskPath): number {
    return this.#fences.get(task) ?? 0;
  }

  parkedSet(id: ParkedId): ParkedState | undefined {
    return this.#parked.get(id);
  }

  parkedSets(): Iterable<ParkedState> {
    return this.#parked.values();
  }

  /** What the import left out. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** The outcome that a submit id got, if it was ever decided. `submit` is a formatted submit id. */
  outcome(submit: string): SubmitOutcome | undefined {
    const record = this.#outcomes.get(submit);
    return record?.entry && outcomeOf(record.entry, record.paths ?? []);
  }
}

/** The outcome that a record tells; undefined for records that no submit made. */
export function outcomeOf(entry: LogEntry, rejectedPaths: readonly string[]): SubmitOutcome | undefined {
  switch (entry.kind) {
    case 'commit': {
      const { commit, mergedPaths } = entry;
      const paths = entry.changes.map(({ path }) => path);
      return mergedPaths.length > 0
        ? { kind: 'merged', commit, paths, mergedPaths }
        : { kind: 'committed', commit, paths };
    }
    case 'parked':
      return { kind: 'conflicted', parked: entry.parked, conflicts: entry.conflicts };
    case 'rejected':
      return {
        kind: 'rejected',
        rejection: { code: entry.code, paths: rejectedPaths, details: entry.details },
      };
    case 'dropped':
    case 'fence':
      return undefined;
    default:
      return entry satisfies never;
  }
}
