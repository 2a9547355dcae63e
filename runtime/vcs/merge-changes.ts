import type { Change, Conflict, ConflictKind, FileEntry, FileMode } from '#protocol/change-sets.ts';
import type { Contents } from './contents.ts';
import { sha256 } from './hash.ts';
import { mergeFile } from './merge-file.ts';
import { foldersAbove } from './paths.ts';
import type { CarriedBlob } from './record-codec.ts';
import {
  entryAt,
  folderAt,
  sameEntry,
  updateTree,
  walkFolder,
  type Folder,
  type TreeChange,
} from './tree.ts';

/** One change with the hash of its content, computed once. */
export interface HashedChange {
  readonly path: string;
  /** Absent for a delete. */
  readonly entry?: FileEntry;
  readonly content?: Uint8Array;
  readonly movedFrom?: string;
}

/** A path that differs from trunk after the merge. */
export interface MergedChange extends HashedChange {
  /** True when its content or mode was put together from both sides. */
  readonly merged: boolean;
}

/** A conflict without what only the history knows. */
type PathConflict = Pick<Conflict, 'path' | 'kind' | 'base' | 'trunk' | 'ours'>;

export interface SetMerge {
  /** Sorted by path; paths that trunk already has as the set wants them are left out. */
  readonly changes: readonly MergedChange[];
  /** Not empty: nothing of the set may be used. */
  readonly conflicts: readonly PathConflict[];
  /** The tree after the changes; meaningless when there are conflicts. */
  readonly root: Folder;
}

/** Copies the content, since the caller may use its buffer again. */
export function hashChange(change: Change): HashedChange {
  if (change.kind === 'delete') return { path: change.path };
  const { path, mode, movedFrom } = change;
  const content = new Uint8Array(change.content);
  const entry = { hash: sha256(content), mode, size: content.length };
  return withOrigin({ path, entry, content }, movedFrom);
}

export function plainChange({ path, entry, content, movedFrom }: HashedChange): Change {
  if (entry === undefined || content === undefined) return { kind: 'delete', path };
  return withOrigin({ kind: 'write', path, mode: entry.mode, content }, movedFrom);
}

/** The change with the path it was moved from, if it was. */
export function withOrigin<Value extends object>(
  change: Value,
  movedFrom: string | undefined,
): Value & { readonly movedFrom?: string } {
  return movedFrom === undefined ? change : { ...change, movedFrom };
}

/** Merges a set of changes, sorted by path and made against `base`, onto `trunk`. All or nothing. */
export function mergeChanges(
  base: Folder,
  trunk: Folder,
  set: readonly HashedChange[],
  contents: Contents,
): SetMerge {
  const own = new Map(set.flatMap(({ entry, content }) => (entry && content ? [[entry.hash, content]] : [])));
  const all: Contents = (hash) => own.get(hash) ?? contents(hash);
  const changes: MergedChange[] = [];
  const conflicts: PathConflict[] = [];
  for (const change of set) {
    const result = mergePath(change, entryAt(base, change.path), trunk, all);
    if (result.kind === 'conflict') conflicts.push(result.conflict);
    else if (result.kind === 'change') changes.push(result.change);
  }
  conflicts.push(...blockedPaths(trunk, changes).map((path) => typeConflict(path, base, trunk, changes)));
  const root =
    conflicts.length > 0
      ? trunk
      : updateTree(
          trunk,
          changes.map(({ path, entry }): TreeChange => [path, entry]),
        );
  return { changes, conflicts: conflicts.toSorted((left, right) => (left.path < right.path ? -1 : 1)), root };
}

type PathResult =
  | { readonly kind: 'change'; readonly change: MergedChange }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly conflict: PathConflict };

function mergePath(
  change: HashedChange,
  base: FileEntry | undefined,
  tree: Folder,
  contents: Contents,
): PathResult {
  const trunk = entryAt(tree, change.path);
  const ours = change.entry;
  if (sameEntry(trunk, ours)) return { kind: 'nothing' };
  if (sameEntry(trunk, base)) return { kind: 'change', change: { ...change, merged: false } };
  const conflict = (kind: ConflictKind): PathResult => ({
    kind: 'conflict',
    conflict: conflictOf(change.path, kind, base, trunk, ours),
  });
  if (ours === undefined) return conflict('edit-delete');
  if (trunk === undefined) return conflict(folderAt(tree, change.path) ? 'type' : 'delete-edit');
  const mode = mergeModes(base?.mode, trunk.mode, ours.mode);
  if (mode === 'type') return conflict('type');
  const merged = mergeContents(base, trunk, ours, contents);
  if (typeof merged === 'string') return conflict(merged);
  if (mode === 'mode') return conflict('mode');
  const entry = { hash: sha256(merged), mode, size: merged.length };
  if (sameEntry(trunk, entry)) return { kind: 'nothing' };
  return { kind: 'change', change: { ...change, entry, content: merged, merged: true } };
}

function mergeModes(base: FileMode | undefined, trunk: FileMode, ours: FileMode): FileMode | 'mode' | 'type' {
  if (trunk === ours) return ours;
  if (base === trunk) return isLink(base) === isLink(ours) ? ours : 'type';
  if (base === ours) return isLink(base) === isLink(trunk) ? trunk : 'type';
  return isLink(trunk) === isLink(ours) ? 'mode' : 'type';
}

function isLink(mode: FileMode): boolean {
  return mode === 'symlink';
}

/** The content that holds both sides' changes, or why there is none. */
function mergeContents(
  base: FileEntry | undefined,
  trunk: FileEntry,
  ours: FileEntry,
  contents: Contents,
): Uint8Array | ConflictKind {
  if (trunk.hash === ours.hash || base?.hash === trunk.hash) return contents(ours.hash);
  if (base?.hash === ours.hash) return contents(trunk.hash);
  if (base === undefined) return 'add-add';
  if (isLink(ours.mode) || isLink(base.mode)) return 'content';
  const result = mergeFile(contents(base.hash), contents(ours.hash), contents(trunk.hash));
  return result.kind === 'clean' ? result.content : result.reason;
}

function conflictOf(
  path: string,
  kind: ConflictKind,
  base: FileEntry | undefined,
  trunk: FileEntry | undefined,
  ours: FileEntry | undefined,
): PathConflict {
  return { path, kind, ...(base && { base }), ...(trunk && { trunk }), ...(ours && { ours }) };
}

function typeConflict(
  path: string,
  base: Folder,
  trunk: Folder,
  changes: readonly MergedChange[],
): PathConflict {
  const ours = changes.find((change) => change.path === path)?.entry;
  return conflictOf(path, 'type', entryAt(base, path), entryAt(trunk, path), ours);
}

/**
 * Paths of written files that the tree cannot hold: something above is a file there, or the path is a folder there, and
 * the changes do not take it away.
 */
export function blockedPaths(tree: Folder, changes: readonly HashedChange[]): readonly string[] {
  const deleted = new Set(changes.flatMap(({ path, entry }) => (entry === undefined ? [path] : [])));
  const written = new Set(changes.flatMap(({ path, entry }) => (entry === undefined ? [] : [path])));
  const isBlocked = (path: string): boolean => {
    const above = foldersAbove(path);
    if (above.some((folder) => written.has(folder))) return true;
    if (above.some((folder) => entryAt(tree, folder) !== undefined && !deleted.has(folder))) return true;
    const folder = folderAt(tree, path);
    if (folder === undefined) return false;
    for (const [below] of walkFolder(folder, `${path}/`)) if (!deleted.has(below)) return true;
    return false;
  };
  return [...written].filter(isBlocked);
}

/** The blobs that the changes bring, each once. */
export function blobsOf(changes: readonly HashedChange[]): readonly CarriedBlob[] {
  const blobs = new Map<string, Uint8Array>();
  for (const { entry, content } of changes) {
    if (entry !== undefined && content !== undefined) blobs.set(entry.hash, content);
  }
  return [...blobs].map(([hash, content]) => ({ hash, content }));
}
