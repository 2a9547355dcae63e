import { join } from 'node:path';
import type { BlobHash, SnapshotId } from '#protocol/change-sets.ts';
import type { LandingReport, RunEvent } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import type { LandRequest } from '#protocol/requests.ts';
import type { TaskChange, TrunkFile } from '#protocol/runtime-api.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { JournalReader } from '#journal/journal.ts';
import { findStore, openStore } from '#journal/run-store.ts';
import { readJournal } from '#journal/sqlite-journal.ts';
import { storeOwner } from '#journal/store-lock.ts';
import type { Repository } from '#vcs/repository.ts';
import type { Edges } from './edges.ts';
import { RunError } from './errors.ts';
import { LandingReview } from './landing-review.ts';
import { Landing, replacedFolder } from './landing.ts';
import { openParts, type OpenedParts } from './open-parts.ts';
import { checkPlaces } from './places.ts';
import { reviewFolder } from './review-contents.ts';

/** A run that is shown, whoever drives it. */
export interface RunAccess {
  readonly store: string;
  readonly projection: RunProjection;
  /** Told of each event once it is durable and folded into `projection`. Returns the way to stop. */
  subscribe(listener: (event: RunEvent) => void): () => void;
  /** Durable events after a sequence number, in order. */
  events(after: number, limit?: number): Promise<readonly RunEvent[]>;
  transcript(agent: string): Promise<readonly TranscriptItem[]>;
  /** @throws VcsError `no-such-blob`; RunError `not-owned` */
  blob(hash: BlobHash): Promise<Uint8Array>;
  /** @throws RunError `not-owned` */
  trunkFiles(folder: string): Promise<readonly TrunkFile[]>;
  /** A file as a commit left it; undefined when it had none there. @throws RunError `not-owned`; VcsError */
  fileAt(commit: SnapshotId, path: string): Promise<Uint8Array | undefined>;
  /** What a task has brought to trunk, oldest first. @throws RunError `not-owned` */
  changesOf(task: TaskPath): Promise<readonly TaskChange[]>;
  close(): Promise<void>;
}

/** A run whose store this process owns. */
export interface OwnedRun extends RunAccess {
  /** Lands green, or trunk's head where there is no verify command. @throws RunError `nothing-to-land` */
  land(request: LandRequest): Promise<LandingReport>;
  /** The review of what lands, to be started and stopped by who shows it. `onError` is told what fails by itself. */
  review(onError: (error: unknown) => void): LandingReview;
}

/** A run that another process owns. */
export interface FollowedAccess extends RunAccess {
  /** Resolves when that process is gone, or when this has been closed. */
  readonly ownerless: Promise<'closed' | 'free'>;
}

/** Milliseconds between two looks at a run that another process drives. */
const followInterval = 300;

async function trunkFilesOf(repository: Repository, folder: string): Promise<readonly TrunkFile[]> {
  const head = repository.head();
  return Promise.all([...head.walk(folder)].map(async ([path]) => ({ path, bytes: await head.read(path) })));
}

async function fileAtCommit(
  repository: Repository,
  commit: SnapshotId,
  path: string,
): Promise<Uint8Array | undefined> {
  const snapshot = repository.snapshot(commit);
  return snapshot.entry(path) === undefined ? undefined : snapshot.read(path);
}

async function changesOfTask(repository: Repository, task: TaskPath): Promise<readonly TaskChange[]> {
  const changes: TaskChange[] = [];
  let before: string | undefined;
  for (const record of repository.records(0)) {
    if (record.kind !== 'commit') continue;
    if (record.provenance.task === task && before !== undefined) {
      const [old, now] = [repository.snapshot(before), repository.snapshot(record.commit)];
      for (const { path } of record.changes) {
        const sides = [old, now].map(async (side) => (side.entry(path) ? side.read(path) : undefined));
        const [was, is] = await Promise.all(sides);
        changes.push({ path, commit: record.commit, before: was, after: is });
      }
    }
    before = record.commit;
  }
  return changes;
}

/** What an open repository and journal show. */
export class PartsAccess implements OwnedRun {
  readonly store: string;
  readonly #parts: OpenedParts;
  readonly #edges: Edges;
  readonly #close: () => Promise<void>;

  constructor(store: string, parts: OpenedParts, edges: Edges, close: () => Promise<void>) {
    this.store = store;
    this.#parts = parts;
    this.#edges = edges;
    this.#close = close;
  }

  get projection(): RunProjection {
    return this.#parts.log.projection;
  }
  subscribe(listener: (event: RunEvent) => void): () => void {
    return this.#parts.log.subscribe(listener);
  }
  async events(after: number, limit?: number): Promise<readonly RunEvent[]> {
    return this.#parts.journal.events(after, limit);
  }
  async transcript(agent: string): Promise<readonly TranscriptItem[]> {
    return this.#parts.journal.transcript(agent);
  }
  async blob(hash: BlobHash): Promise<Uint8Array> {
    return this.#parts.repository.blob({ hash, mode: 'file', size: 0 });
  }
  async trunkFiles(folder: string): Promise<readonly TrunkFile[]> {
    return trunkFilesOf(this.#parts.repository, folder);
  }
  async fileAt(commit: SnapshotId, path: string): Promise<Uint8Array | undefined> {
    return fileAtCommit(this.#parts.repository, commit, path);
  }
  async changesOf(task: TaskPath): Promise<readonly TaskChange[]> {
    return changesOfTask(this.#parts.repository, task);
  }
  async land(request: LandRequest): Promise<LandingReport> {
    const { workspace } = this.#parts.options;
    const replaced = join(this.store, replacedFolder);
    return new Landing({ ...this.#edges, ...this.#parts, workspace, replaced }).land(request);
  }
  review(onError: (error: unknown) => void): LandingReview {
    const { workspace } = this.#parts.options;
    const folder = join(this.store, reviewFolder);
    return new LandingReview({ ...this.#edges, ...this.#parts, workspace }, folder, onError);
  }
  async close(): Promise<void> {
    await this.#close();
  }
}

/**
 * Opens a run without going on with it: no model and no sandbox is needed.
 * @throws RunError `never-started`, those of places; JournalError `no-store`, `in-use`; VcsError
 */
export async function openStoredRun(folder: string, edges: Edges): Promise<OwnedRun> {
  const { projection } = await inspectRun(folder, edges);
  const { options } = projection;
  if (options) await checkPlaces({ ...options, land: true, store: folder }, edges.fileSystem);
  const store = await openStore(folder, edges);
  try {
    const parts = await openParts(edges, store);
    return new PartsAccess(store.paths.folder, parts, edges, async () => {
      await parts.close();
      await store.release();
    });
  } catch (error) {
    await store.release();
    throw error;
  }
}

/** The state of a run, also while another process owns its store. @throws JournalError `no-store` */
export async function inspectRun(
  folder: string,
  edges: Pick<Edges, 'fileSystem'>,
): Promise<{ readonly projection: RunProjection; readonly events: readonly RunEvent[] }> {
  const paths = await findStore(folder, edges.fileSystem);
  const reader = await readJournal(paths.folder);
  try {
    const events = await reader.events(0);
    const projection = new RunProjection();
    for (const event of events) projection.apply(event);
    return { projection, events };
  } finally {
    await reader.close();
  }
}

/** Looks at a run that another process drives, and goes on looking. @throws JournalError `no-store` */
export async function followStoredRun(folder: string, edges: Edges): Promise<FollowedAccess> {
  const paths = await findStore(folder, edges.fileSystem);
  const reader = await readJournal(paths.folder);
  const followed = new FollowedRun(paths.folder, reader, edges);
  try {
    await followed.look();
  } catch (error) {
    await followed.close();
    throw error;
  }
  return followed;
}

/** One look in so many asks for the owner too: that opens the lock's file. */
const looksPerOwner = 5;

class FollowedRun implements FollowedAccess {
  readonly store: string;
  readonly projection = new RunProjection();
  readonly #reader: JournalReader;
  readonly #edges: Edges;
  readonly #listeners = new Set<(event: RunEvent) => void>();
  #cancel: () => void = () => undefined;
  #isClosed = false;
  #looks = 0;
  readonly #ownerless = Promise.withResolvers<'closed' | 'free'>();

  constructor(store: string, reader: JournalReader, edges: Edges) {
    this.store = store;
    this.#reader = reader;
    this.#edges = edges;
  }

  /** Takes in what is new, and looks again later. What fails then is tried again: the owner may be writing. */
  async look(): Promise<void> {
    const events = await this.#reader.events(this.projection.version);
    for (const event of events) {
      this.projection.apply(event);
      for (const listener of this.#listeners) listener(event);
    }
    this.#looks += 1;
    if (this.#looks % looksPerOwner === 0 && !(await this.#hasOwner())) this.#ownerless.resolve('free');
    else this.#later();
  }

  get ownerless(): Promise<'closed' | 'free'> {
    return this.#ownerless.promise;
  }

  async #hasOwner(): Promise<boolean> {
    return (await storeOwner(this.store, this.#edges.fileSystem)) !== undefined;
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#edges.scheduler.after(followInterval, () => {
      this.look().catch(() => {
        this.#later();
      });
    });
  }

  subscribe(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async events(after: number, limit?: number): Promise<readonly RunEvent[]> {
    return this.#reader.events(after, limit);
  }
  async transcript(agent: string): Promise<readonly TranscriptItem[]> {
    return this.#reader.transcript(agent);
  }
  async blob(): Promise<never> {
    return this.#refuse();
  }
  async trunkFiles(): Promise<never> {
    return this.#refuse();
  }
  async fileAt(): Promise<never> {
    return this.#refuse();
  }
  async changesOf(): Promise<never> {
    return this.#refuse();
  }
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ownerless.resolve('closed');
    this.#cancel();
    await this.#reader.close();
  }

  #refuse(): never {
    throw new RunError('not-owned', 'another process owns the store', { store: this.store });
  }
}
