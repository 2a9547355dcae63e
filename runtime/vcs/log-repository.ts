import type { Clock } from '#edges/clock.ts';
import type {
  Change,
  ChangeSet,
  FileEntry,
  ParkedId,
  ParkedSet,
  SnapshotId,
  SubmitOutcome,
  SubmitRequest,
} from '#protocol/change-sets.ts';
import { formatSubmitId } from '#protocol/change-sets.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import type { BlobStore } from './blob-store.ts';
import { withContents } from './contents.ts';
import { decide, type DecideOptions, type Decision } from './decide.ts';
import { VcsError } from './errors.ts';
import type { LogRecord } from './log-record.ts';
import { outcomeOf, type LogState, type ParkedState } from './log-state.ts';
import type { LogStore } from './log-store.ts';
import { blobsOf, hashChange, plainChange, withOrigin, type HashedChange } from './merge-changes.ts';
import {
  commitId,
  encodeRecord,
  type CarriedBlob,
  type CommitEntry,
  type LogEntry,
  type ParkedEntry,
  type StoredRecord,
} from './record-codec.ts';
import type { Repository, Snapshot, View } from './repository.ts';
import { resolveSet, type ConflictAnswer } from './resolution.ts';
import { TreeSnapshot } from './snapshot.ts';
import { EditableView } from './view.ts';

/** What opening the log found. */
export interface OpenedLog {
  readonly log: LogStore;
  readonly blobs: BlobStore;
  readonly state: LogState;
  readonly records: LogRecord[];
  readonly parked: readonly ParkedSet[];
  readonly reports: readonly string[];
}

/**
 * The one writer. A submit is decided in one go against the newest state in memory, which may be ahead of the disk; its
 * outcome is told, and trunk as others see it moves, once its record is durable.
 */
export class LogRepository implements Repository {
  readonly reports: readonly string[];
  readonly #log: LogStore;
  readonly #blobs: BlobStore;
  readonly #state: LogState;
  readonly #clock: Clock;
  readonly #options: DecideOptions;
  /** Durable records. */
  readonly #records: LogRecord[];
  /** Durably parked sets. */
  readonly #parked: Map<ParkedId, ParkedSet>;
  readonly #listeners = new Set<(record: LogRecord) => void>();
  readonly #undecided = new Map<string, Promise<SubmitOutcome>>();
  #head: TreeSnapshot;
  #position: number;
  #failed: unknown;
  #closed = false;

  constructor(opened: OpenedLog, clock: Clock, options: DecideOptions) {
    this.#log = opened.log;
    this.#blobs = opened.blobs;
    this.#state = opened.state;
    this.#clock = clock;
    this.#options = options;
    this.#records = opened.records;
    this.#parked = new Map(opened.parked.map((set) => [set.id, set]));
    this.#position = opened.records.length;
    this.reports = opened.reports;
    this.#head = this.#snapshotAt(this.#state.history.length - 1);
  }

  head(): Snapshot {
    return this.#head;
  }

  snapshot(id: SnapshotId): Snapshot {
    if (id === this.#head.id) return this.#head;
    const sequence = this.#state.history.sequenceOf(id);
    if (sequence === undefined || sequence > this.#head.sequence) {
      throw new VcsError('unknown-snapshot', 'there is no such snapshot on trunk', { snapshot: id });
    }
    return this.#snapshotAt(sequence);
  }

  openView(base: SnapshotId, edits: readonly Change[] = []): View {
    return new EditableView(this, this.#blobs, this.snapshot(base), edits);
  }

  async submit(request: SubmitRequest): Promise<SubmitOutcome> {
    this.#assertWritable();
    const key = formatSubmitId(request.id);
    const running = this.#undecided.get(key);
    if (running !== undefined) return running;
    const known = this.#state.outcome(key);
    if (known !== undefined) return known;
    const outcome = this.#submitOnce(request);
    this.#undecided.set(key, outcome);
    try {
      return await outcome;
    } finally {
      this.#undecided.delete(key);
    }
  }

  async fence(task: TaskPath, epoch: number, reason: string): Promise<void> {
    this.#assertWritable();
    await this.#append({ entry: { kind: 'fence', time: this.#clock.now(), task, epoch, reason } });
  }

  async drop(parked: ParkedId, by: TaskPath, reason: string): Promise<void> {
    this.#assertWritable();
    if (this.#state.parkedSet(parked) === undefined) {
      throw new VcsError('not-parked', 'there is no such parked set', { parked });
    }
    await this.#append({ entry: { kind: 'dropped', time: this.#clock.now(), parked, by, reason } });
  }

  parked(): readonly ParkedSet[] {
    return [...this.#parked.values()];
  }

  async resolution(parked: ParkedId, answers: ReadonlyMap<string, ConflictAnswer>): Promise<ChangeSet> {
    const set = this.#parked.get(parked);
    if (set === undefined) throw new VcsError('not-parked', 'there is no such parked set', { parked });
    const { history } = this.#state;
    const { base, changes } = set.request.changeSet;
    const input = {
      base: history.treeAt(history.sequenceOf(base) ?? 0),
      trunk: history.treeAt(history.sequenceOf(set.trunk) ?? 0),
      changes: changes.map(hashChange),
      conflicted: new Set(set.conflicts.map(({ path }) => path)),
      answers,
    };
    const settled = await withContents(
      (hash) => this.#blobs.peek(hash),
      (hash) => this.#blobs.load(hash),
      (contents) => resolveSet(input, contents),
    );
    return { base: set.trunk, changes: settled };
  }

  async blob(entry: FileEntry): Promise<Uint8Array> {
    return this.#blobs.load(entry.hash);
  }

  records(after: number): readonly LogRecord[] {
    return this.#records.slice(after);
  }

  subscribe(listener: (record: LogRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#log.close();
  }

  #snapshotAt(sequence: number): TreeSnapshot {
    const { history } = this.#state;
    const id = history.commitAt(sequence)?.commit ?? '';
    return new TreeSnapshot(id, sequence, history.treeAt(sequence), this.#blobs);
  }

  #assertWritable(): void {
    if (this.#closed) throw new VcsError('closed', 'the repository is closed');
    if (this.#failed !== undefined) {
      throw new VcsError('io', 'the log can no longer be written', {}, this.#failed);
    }
  }

  async #submitOnce(request: SubmitRequest): Promise<SubmitOutcome> {
    const changes = request.changeSet.changes.map(hashChange);
    const decideNow = (contents: (hash: string) => Uint8Array): Promise<SubmitOutcome> => {
      this.#assertWritable();
      const decision = decide(this.#state, request, changes, contents, this.#options);
      return this.#write(request, decision);
    };
    return withContents(
      (hash) => this.#blobs.peek(hash),
      (hash) => this.#blobs.load(hash),
      decideNow,
    );
  }

  async #write(request: SubmitRequest, decision: Decision): Promise<SubmitOutcome> {
    const record = this.#recordOf(request, decision);
    const blobs = decision.kind === 'reject' ? [] : blobsOf(decision.changes);
    const outcome = record.entry && outcomeOf(record.entry, record.paths ?? []);
    if (decision.kind === 'park' && record.entry?.kind === 'parked') {
      const changeSet = { ...request.changeSet, changes: decision.changes.map(plainChange) };
      await this.#append(record, blobs, parkedSetOf(record.entry, { ...request, changeSet }));
    } else {
      await this.#append(record, blobs);
    }
    if (outcome === undefined) throw new Error('a decision without an outcome');
    return outcome;
  }

  #recordOf(request: SubmitRequest, decision: Decision): StoredRecord {
    const { id: submit, intent, changeSet, provenance, scope } = request;
    const time = this.#clock.now();
    switch (decision.kind) {
      case 'reject': {
        const { code, details, paths } = decision.rejection;
        return { entry: { kind: 'rejected', time, submit, code, details }, paths };
      }
      case 'park': {
        const { conflicts, round, owner, epoch, replaces } = decision;
        const trunk = this.#state.history.tipId;
        const changes = decision.changes.map(recordedChange);
        const parked = formatSubmitId(submit);
        return {
          entry: {
            kind: 'parked',
            time,
            parked,
            submit,
            conflicts,
            trunk,
            round,
            ...(replaces && { replaces }),
            changes,
            provenance,
          },
          parked: { base: changeSet.base, scope, intent, owner, epoch },
        };
      }
      case 'commit': {
        const { changes, resolves } = decision;
        const { tipId: previous, length: sequence } = this.#state.history;
        const entry: Omit<CommitEntry, 'commit'> = {
          kind: 'commit',
          time,
          sequence,
          submit,
          base: changeSet.base,
          changes: changes.map(recordedChange),
          mergedPaths: changes.filter(({ merged }) => merged).map(({ path }) => path),
          ...(resolves === undefined ? {} : { resolves }),
          ...(intent.kind === 'breakage' ? { breakage: intent.reason } : {}),
          provenance,
        };
        return { entry: { commit: commitId(previous, entry), ...entry } };
      }
      default:
        return decision satisfies never;
    }
  }

  /** Takes the record into the state at once; resolves when it is durable and everyone was told. */
  async #append(
    record: StoredRecord & { readonly entry?: LogEntry },
    carried: readonly CarriedBlob[] = [],
    parkedSet?: ParkedSet,
  ): Promise<void> {
    const fresh = carried.filter(({ hash }) => !this.#blobs.has(hash));
    const { payload, places } = encodeRecord(record, fresh);
    const { index, durable } = this.#log.append(payload);
    this.#blobs.locate(index, places);
    for (const { hash, content } of fresh) this.#blobs.keep(hash, content);
    this.#state.apply(record);
    this.#position += 1;
    const position = this.#position;
    try {
      await durable;
    } catch (error) {
      this.#failed ??= error;
      throw error;
    }
    if (record.entry !== undefined) this.#becameDurable({ position, ...record.entry }, parkedSet);
  }

  #becameDurable(record: LogRecord, parkedSet: ParkedSet | undefined): void {
    this.#records.push(record);
    if (record.kind === 'commit') {
      this.#head = this.#snapshotAt(record.sequence);
      if (record.resolves !== undefined) this.#parked.delete(record.resolves);
    }
    if (record.kind === 'dropped') this.#parked.delete(record.parked);
    if (record.kind === 'parked' && record.replaces !== undefined) this.#parked.delete(record.replaces);
    if (parkedSet !== undefined) this.#parked.set(parkedSet.id, parkedSet);
    for (const listener of this.#listeners) {
      try {
        listener(record);
      } catch (error) {
        // The record is durable whatever a listener makes of it; its error surfaces on its own.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

function recordedChange({ path, entry, movedFrom }: HashedChange): CommitEntry['changes'][number] {
  return withOrigin(entry === undefined ? { path } : { path, entry }, movedFrom);
}

function parkedSetOf(entry: ParkedEntry, request: SubmitRequest): ParkedSet {
  const { parked: id, conflicts, trunk, round } = entry;
  return { id, request, conflicts, trunk, round };
}

/** A parked set as it was submitted, with its contents read from the log. */
export async function reviveParkedSet(
  { entry, request }: ParkedState,
  load: (hash: string) => Promise<Uint8Array>,
): Promise<ParkedSet> {
  const changes = await Promise.all(
    entry.changes.map(async ({ path, entry: file, movedFrom }): Promise<Change> => {
      if (file === undefined) return { kind: 'delete', path };
      const content = await load(file.hash);
      return withOrigin({ kind: 'write', path, mode: file.mode, content }, movedFrom);
    }),
  );
  const { base, scope, intent } = request;
  const { submit: id, provenance } = entry;
  return parkedSetOf(entry, { id, changeSet: { base, changes }, scope, intent, provenance });
}
