import type { Change, ChangeSet, FileEntry, FileMode, SnapshotId } from '#protocol/change-sets.ts';
import type { BlobStore } from './blob-store.ts';
import { withContents } from './contents.ts';
import { VcsError } from './errors.ts';
import {
  hashChange,
  mergeChanges,
  plainChange,
  withOrigin,
  type HashedChange,
  type SetMerge,
} from './merge-changes.ts';
import { comparePaths, foldersAbove, pathProblem } from './paths.ts';
import type { Repository, Snapshot, SyncResult, View } from './repository.ts';
import { TreeSnapshot } from './snapshot.ts';
import { folderAt, sameEntry } from './tree.ts';

type Trunk = Pick<Repository, 'head' | 'snapshot'>;

/** Own edits over a base. Edits that equal the base are not kept. Calls on one view do not overlap. */
export class EditableView implements View {
  readonly #trunk: Trunk;
  readonly #blobs: BlobStore;
  readonly #edits = new Map<string, HashedChange>();
  #base: TreeSnapshot;

  constructor(trunk: Trunk, blobs: BlobStore, base: Snapshot, edits: readonly Change[]) {
    this.#trunk = trunk;
    this.#blobs = blobs;
    this.#base = ownSnapshot(base);
    for (const edit of edits) this.#set(hashChange(edit));
  }

  get base(): Snapshot {
    return this.#base;
  }

  entry(path: string): FileEntry | undefined {
    const edit = this.#edits.get(path);
    return edit === undefined ? this.#base.entry(path) : edit.entry;
  }

  async read(path: string): Promise<Uint8Array> {
    const edit = this.#edits.get(path);
    if (edit === undefined) return this.#base.read(path);
    if (edit.content === undefined) throw new VcsError('no-such-file', 'there is no such file', { path });
    return edit.content;
  }

  *walk(folder = ''): Generator<readonly [path: string, entry: FileEntry]> {
    const edits = this.#sortedEdits().filter(
      ({ path }) => folder === '' || path === folder || path.startsWith(`${folder}/`),
    );
    let next = 0;
    for (const [path, entry] of this.#base.walk(folder)) {
      for (let edit = edits[next]; edit !== undefined && edit.path <= path; edit = edits[next]) {
        if (edit.entry !== undefined) yield [edit.path, edit.entry];
        next += 1;
      }
      if (!this.#edits.has(path)) yield [path, entry];
    }
    for (const { path, entry } of edits.slice(next)) if (entry !== undefined) yield [path, entry];
  }

  write(path: string, content: Uint8Array, mode?: FileMode): void {
    this.#assertFree(path);
    const movedFrom = this.#edits.get(path)?.movedFrom;
    const kept = mode ?? this.entry(path)?.mode ?? 'file';
    this.#set(hashChange(withOrigin({ kind: 'write', path, mode: kept, content }, movedFrom)));
  }

  delete(path: string): void {
    this.#existing(path);
    this.#set({ path });
  }

  async move(from: string, to: string): Promise<void> {
    const entry = this.#existing(from);
    if (from === to) return;
    if (this.entry(to) !== undefined)
      throw new VcsError('path-taken', 'there is a file already', { path: to });
    const content = await this.read(from);
    const origin = this.#edits.get(from)?.movedFrom ?? from;
    const earlier = this.#edits.get(from);
    this.#set({ path: from });
    try {
      this.#assertFree(to);
    } catch (error) {
      if (earlier === undefined) this.#edits.delete(from);
      else this.#edits.set(from, earlier);
      throw error;
    }
    this.#set({ path: to, entry, content, movedFrom: origin });
  }

  edits(): readonly Change[] {
    return this.#sortedEdits().map(({ movedFrom, ...edit }) => {
      // Only a file that is gone from its old place was moved.
      const origin = movedFrom !== undefined && this.#isDeleted(movedFrom) ? movedFrom : undefined;
      return plainChange(withOrigin(edit, origin));
    });
  }

  changeSet(): ChangeSet {
    return { base: this.#base.id, changes: this.edits() };
  }

  advance(commit: SnapshotId): void {
    this.#base = ownSnapshot(this.#trunk.snapshot(commit));
    this.#edits.clear();
  }

  async sync(): Promise<SyncResult> {
    const head = ownSnapshot(this.#trunk.head());
    const old = this.#base;
    const changed = head.changedSince(old);
    const merge = await withContents(
      (hash) => this.#blobs.peek(hash),
      (hash) => this.#blobs.load(hash),
      (contents): SetMerge => mergeChanges(old.root, head.root, this.#sortedEdits(), contents),
    );
    if (merge.conflicts.length > 0) {
      const conflicts = merge.conflicts.map(({ path }) => path);
      return { moved: false, base: old.id, changed, merged: [], conflicts };
    }
    this.#base = head;
    this.#edits.clear();
    for (const { merged: _, ...edit } of merge.changes) this.#set(edit);
    const merged = merge.changes.filter((change) => change.merged).map(({ path }) => path);
    return { moved: true, base: head.id, changed, merged, conflicts: [] };
  }

  #sortedEdits(): readonly HashedChange[] {
    return [...this.#edits.values()].toSorted((left, right) => comparePaths(left.path, right.path));
  }

  #isDeleted(path: string): boolean {
    const edit = this.#edits.get(path);
    return edit !== undefined && edit.entry === undefined;
  }

  #set(change: HashedChange): void {
    if (sameEntry(this.#base.entry(change.path), change.entry)) this.#edits.delete(change.path);
    else this.#edits.set(change.path, change);
  }

  #existing(path: string): FileEntry {
    const entry = this.entry(path);
    if (entry === undefined) throw new VcsError('no-such-file', 'there is no such file', { path });
    return entry;
  }

  /** @throws VcsError `bad-path`, `protected-path`, `path-taken` when the tree cannot hold a file there */
  #assertFree(path: string): void {
    const problem = pathProblem(path);
    if (problem !== undefined) throw new VcsError(problem.code, problem.details, { path });
    for (const folder of foldersAbove(path)) {
      if (this.entry(folder) !== undefined) {
        throw new VcsError('path-taken', 'a part of the path is a file', { path, file: folder });
      }
    }
    const isFolder =
      folderAt(this.#base.root, path) !== undefined ||
      [...this.#edits.keys()].some((edit) => edit.startsWith(`${path}/`));
    if (isFolder && !this.walk(path).next().done) {
      throw new VcsError('path-taken', 'the path is a folder', { path });
    }
  }
}

function ownSnapshot(snapshot: Snapshot): TreeSnapshot {
  if (snapshot instanceof TreeSnapshot) return snapshot;
  throw new TypeError('a view builds on a snapshot of its own repository');
}
