import type { FileEntry, SnapshotId } from '#protocol/change-sets.ts';
import type { BlobStore } from './blob-store.ts';
import { VcsError } from './errors.ts';
import type { Snapshot } from './repository.ts';
import { changedPaths, entryAt, hashFolder, walkTree, type Folder } from './tree.ts';

/** A state of trunk as a tree whose folders are shared with its neighbours. */
export class TreeSnapshot implements Snapshot {
  readonly id: SnapshotId;
  readonly sequence: number;
  readonly root: Folder;
  readonly #blobs: BlobStore;

  constructor(id: SnapshotId, sequence: number, root: Folder, blobs: BlobStore) {
    this.id = id;
    this.sequence = sequence;
    this.root = root;
    this.#blobs = blobs;
  }

  entry(path: string): FileEntry | undefined {
    return entryAt(this.root, path);
  }

  async read(path: string): Promise<Uint8Array> {
    const entry = this.entry(path);
    if (entry === undefined) throw new VcsError('no-such-file', 'there is no such file', { path });
    return this.#blobs.load(entry.hash);
  }

  walk(folder = ''): Iterable<readonly [path: string, entry: FileEntry]> {
    return { [Symbol.iterator]: () => walkTree(this.root, folder) };
  }

  treeHash(): string {
    return hashFolder(this.root);
  }

  changedSince(other: Snapshot): readonly string[] {
    if (!(other instanceof TreeSnapshot))
      throw new TypeError('only snapshots of one repository are comparable');
    return changedPaths(other.root, this.root);
  }
}
