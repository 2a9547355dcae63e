import type { FileEntry } from './change-sets.ts';

/** A tree of files that can be read: a snapshot, or a view on one. Paths are relative, with '/' and no leading '/'. */
export interface FileTree {
  entry(path: string): FileEntry | undefined;
  /** The file's bytes (a link's target). @throws VcsError `no-such-file` */
  read(path: string): Promise<Uint8Array>;
  /** All files at or below `folder` ('' for the whole tree), sorted by path. */
  walk(folder?: string): Iterable<readonly [path: string, entry: FileEntry]>;
}
