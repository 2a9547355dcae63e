import type { Clock } from '#edges/clock.ts';
import type { SnapshotId } from '#protocol/change-sets.ts';
import { defaultFieldGuide, type FieldGuideBudget } from '#protocol/field-guide.ts';
import type { Provenance } from '#protocol/tasks.ts';
import { BlobStore } from './blob-store.ts';
import { VcsError } from './errors.ts';
import { contentGates } from './gates.ts';
import { sha256 } from './hash.ts';
import type { LogRecord, RecordedChange } from './log-record.ts';
import { LogRepository, reviveParkedSet, type OpenedLog } from './log-repository.ts';
import { LogState } from './log-state.ts';
import type { LogStore } from './log-store.ts';
import { comparePaths } from './paths.ts';
import {
  commitId,
  decodeRecord,
  encodeRecord,
  type CarriedBlob,
  type CommitEntry,
  type LeftOut,
  type StoredRecord,
} from './record-codec.ts';
import type { Repository } from './repository.ts';
import type { TrunkSource } from './workspace-import.ts';

export interface RepositoryOptions {
  readonly logStore: LogStore;
  readonly clock: Clock;
  readonly fieldGuide?: FieldGuideBudget;
  /** Bytes of contents kept in memory. Default 64 MiB. */
  readonly cacheBytes?: number;
}

/** What trunk started with; the same whenever it is asked. */
interface ImportReport {
  readonly snapshot: SnapshotId;
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
}

export interface CreatedRepository {
  readonly repository: Repository;
  readonly imported: ImportReport;
}

/** Contents that one record of an import carries. */
const partBytes = 4 * 1024 * 1024;

/**
 * Opens a log that has a trunk. One process opens it at a time.
 * @throws VcsError `no-trunk` (the log is empty, or its import was cut short), `damaged`, `unknown-format`, `io`
 */
export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const opened = await openLog(options);
  if (opened.state.history.length === 0) {
    await options.logStore.close();
    throw new VcsError('no-trunk', 'the log holds no trunk');
  }
  return repositoryOn(opened, options);
}

/**
 * Opens a log, and makes its trunk from `source` if it has none yet. The import is one commit, there whole or not at all:
 * after a crash in the middle of it, calling this again makes it anew.
 * @throws VcsError `damaged`, `unknown-format`, `io`
 */
export async function createRepository(
  options: RepositoryOptions,
  source: TrunkSource,
  provenance: Provenance,
): Promise<CreatedRepository> {
  const opened = await openLog(options);
  const { history } = opened.state;
  try {
    if (history.length === 0) await importTrunk(opened, source, provenance, options.clock);
  } catch (error) {
    await options.logStore.close();
    throw error;
  }
  const first = history.commitAt(0);
  const imported: ImportReport = {
    snapshot: first?.commit ?? '',
    files: first?.changes.length ?? 0,
    leftOut: opened.state.leftOut,
  };
  return { repository: repositoryOn(opened, options), imported };
}

function repositoryOn(
  opened: OpenedLog,
  { clock, fieldGuide = defaultFieldGuide }: RepositoryOptions,
): Repository {
  return new LogRepository(opened, clock, {
    gates: contentGates(fieldGuide),
    fieldGuideFolder: fieldGuide.folder,
  });
}

async function openLog({ logStore, cacheBytes = 64 * 1024 * 1024 }: RepositoryOptions): Promise<OpenedLog> {
  const state = new LogState();
  const blobs = new BlobStore(logStore, cacheBytes);
  const records: LogRecord[] = [];
  const reports = await logStore.open((payload, index) => {
    const { record, places } = decodeRecord(payload);
    blobs.locate(index, places);
    state.apply(record);
    if (record.entry !== undefined) records.push({ position: records.length + 1, ...record.entry });
  });
  try {
    const sets = [...state.parkedSets()];
    const parked = await Promise.all(
      sets.map(async (set) => reviveParkedSet(set, async (hash) => blobs.load(hash))),
    );
    return { log: logStore, blobs, state, records, parked, reports };
  } catch (error) {
    await logStore.close();
    throw error;
  }
}

/** Parts that carry contents, then the commit that makes them count. */
async function importTrunk(
  opened: OpenedLog,
  source: TrunkSource,
  provenance: Provenance,
  clock: Clock,
): Promise<void> {
  const leftOut: LeftOut[] = [];
  const changes: RecordedChange[] = [];
  let part: CarriedBlob[] = [];
  let bytes = 0;
  for await (const { path, mode, content } of source.files((file) => leftOut.push(file))) {
    const hash = sha256(content);
    changes.push({ path, entry: { hash, mode, size: content.length } });
    if (opened.blobs.has(hash) || part.some((blob) => blob.hash === hash)) continue;
    part.push({ hash, content });
    bytes += content.length;
    if (bytes < partBytes && part.length < 1000) continue;
    await appendRecord(opened, {}, part);
    part = [];
    bytes = 0;
  }
  const entry: Omit<CommitEntry, 'commit'> = {
    kind: 'commit',
    time: clock.now(),
    sequence: 0,
    base: '',
    changes: changes.toSorted((left, right) => comparePaths(left.path, right.path)),
    mergedPaths: [],
    provenance,
  };
  const stored = {
    entry: { commit: commitId('', entry), ...entry },
    leftOut: leftOut.toSorted((left, right) => comparePaths(left.path, right.path)),
  };
  await appendRecord(opened, stored, part);
  opened.state.apply(stored);
  opened.records.push({ position: opened.records.length + 1, ...stored.entry });
}

async function appendRecord(
  { log, blobs }: OpenedLog,
  record: StoredRecord,
  carried: readonly CarriedBlob[],
): Promise<void> {
  const { payload, places } = encodeRecord(record, carried);
  const { index, durable } = log.append(payload);
  blobs.locate(index, places);
  await durable;
}
