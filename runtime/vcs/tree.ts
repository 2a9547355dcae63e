import type { FileEntry } from '#protocol/change-sets.ts';
import { sha256 } from './hash.ts';

/**
 * One folder of a persistent tree. Nodes are never changed: an update copies the folders on the way to what changed and
 * shares all others. `keys` is sorted; a folder's key ends with '/', so that walking in key order is walking in path order.
 */
export interface Folder {
  readonly keys: readonly string[];
  readonly children: readonly (Folder | FileEntry)[];
}

/** A path and what it becomes; no entry where it is deleted. */
export type TreeChange = readonly [path: string, entry: FileEntry | undefined];

const noChange: TreeChange = ['', undefined];
export const emptyFolder: Folder = { keys: [], children: [] };

function isFolder(node: Folder | FileEntry): node is Folder {
  return 'keys' in node;
}

/** The index of `key`, or the complement of where it would be inserted. */
function search(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = keys[middle] ?? '';
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

function child(folder: Folder, key: string): Folder | FileEntry | undefined {
  const index = search(folder.keys, key);
  return index < 0 ? undefined : folder.children[index];
}

/** The folder at `path` ('' is the root itself). */
export function folderAt(root: Folder, path: string): Folder | undefined {
  let folder: Folder = root;
  for (let start = 0; start < path.length;) {
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const next = child(folder, `${path.slice(start, end)}/`);
    if (next === undefined || !isFolder(next)) return undefined;
    folder = next;
    start = end + 1;
  }
  return folder;
}

/** The file at `path`. */
export function entryAt(root: Folder, path: string): FileEntry | undefined {
  const cut = path.lastIndexOf('/');
  const folder = folderAt(root, cut < 0 ? '' : path.slice(0, cut));
  return fileIn(folder && child(folder, path.slice(cut + 1)));
}

/**
 * The tree after `changes`, which are sorted by path, each path once. Folders that become empty vanish. Deleting what is
 * not there changes nothing. A path that is a file and a folder at once is the caller's error and is not noticed here.
 */
export function updateTree(root: Folder, changes: readonly TreeChange[]): Folder {
  return changes.length === 0 ? root : updateFolder(root, changes, 0, changes.length, 0);
}

function updateFolder(
  folder: Folder,
  changes: readonly TreeChange[],
  from: number,
  to: number,
  prefix: number,
): Folder {
  const edits: [key: string, node: Folder | FileEntry | undefined][] = [];
  for (let at = from; at < to;) {
    const [path, entry] = changes[at] ?? noChange;
    const slash = path.indexOf('/', prefix);
    if (slash < 0) {
      edits.push([path.slice(prefix), entry]);
      at += 1;
      continue;
    }
    const below = path.slice(0, slash + 1);
    let end = at + 1;
    while (end < to && changes[end]?.[0].startsWith(below) === true) end += 1;
    const key = path.slice(prefix, slash + 1);
    const updated = updateFolder(folderIn(child(folder, key)), changes, at, end, slash + 1);
    edits.push([key, updated.keys.length === 0 ? undefined : updated]);
    at = end;
  }
  return applyEdits(folder, edits);
}

function applyEdits(
  folder: Folder,
  edits: readonly (readonly [key: string, node: Folder | FileEntry | undefined])[],
): Folder {
  const places = edits.map(([key]) => search(folder.keys, key));
  if (edits.every(([, node], index) => node !== undefined && (places[index] ?? -1) >= 0)) {
    const replaced = folder.children.slice();
    for (const [index, [, node]] of edits.entries()) {
      if (node !== undefined) replaced[places[index] ?? 0] = node;
    }
    return { keys: folder.keys, children: replaced };
  }
  const keys: string[] = [];
  const children: (Folder | FileEntry)[] = [];
  let kept = 0;
  for (const [index, [key, node]] of edits.entries()) {
    const place = places[index] ?? 0;
    const until = place < 0 ? ~place : place;
    for (const unchanged of folder.keys.slice(kept, until)) keys.push(unchanged);
    for (const unchanged of folder.children.slice(kept, until)) children.push(unchanged);
    kept = place < 0 ? until : until + 1;
    if (node !== undefined) {
      keys.push(key);
      children.push(node);
    }
  }
  for (const unchanged of folder.keys.slice(kept)) keys.push(unchanged);
  for (const unchanged of folder.children.slice(kept)) children.push(unchanged);
  return { keys, children };
}

/** All files below a folder, sorted by path; `prefix` is put before each. */
export function* walkFolder(
  folder: Folder,
  prefix = '',
): Generator<readonly [path: string, entry: FileEntry]> {
  for (const [index, node] of folder.children.entries()) {
    const key = folder.keys[index] ?? '';
    if (isFolder(node)) yield* walkFolder(node, prefix + key);
    else yield [prefix + key, node];
  }
}

/** All files at or below `path`. */
export function* walkTree(root: Folder, path: string): Generator<readonly [path: string, entry: FileEntry]> {
  const entry = entryAt(root, path);
  if (entry !== undefined) yield [path, entry];
  const folder = folderAt(root, path);
  if (folder !== undefined) yield* walkFolder(folder, path === '' ? '' : `${path}/`);
}

export function sameEntry(left: FileEntry | undefined, right: FileEntry | undefined): boolean {
  return left?.hash === right?.hash && left?.mode === right?.mode;
}

/** Paths whose entry differs, sorted. Folders that both trees share are not entered. */
export function changedPaths(older: Folder, newer: Folder): string[] {
  const paths: string[] = [];
  compareFolders(older, newer, '', paths);
  return paths;
}

function compareFolders(older: Folder, newer: Folder, prefix: string, paths: string[]): void {
  if (older === newer) return;
  let left = 0;
  let right = 0;
  while (left < older.keys.length || right < newer.keys.length) {
    const leftKey = older.keys[left];
    const rightKey = newer.keys[right];
    const onLeft = leftKey !== undefined && (rightKey === undefined || leftKey <= rightKey);
    const onRight = rightKey !== undefined && (leftKey === undefined || rightKey <= leftKey);
    const leftNode = onLeft ? older.children[left] : undefined;
    const rightNode = onRight ? newer.children[right] : undefined;
    const key = (onLeft ? leftKey : rightKey) ?? '';
    if (leftNode !== rightNode) compareNodes(leftNode, rightNode, prefix + key, paths);
    if (onLeft) left += 1;
    if (onRight) right += 1;
  }
}

/** Nodes of one key: both folders, both files, or one of them absent. */
function compareNodes(
  older: Folder | FileEntry | undefined,
  newer: Folder | FileEntry | undefined,
  path: string,
  paths: string[],
): void {
  if (path.endsWith('/')) {
    compareFolders(folderIn(older), folderIn(newer), path, paths);
  } else if (!sameEntry(fileIn(older), fileIn(newer))) {
    paths.push(path);
  }
}

function folderIn(node: Folder | FileEntry | undefined): Folder {
  return node !== undefined && isFolder(node) ? node : emptyFolder;
}

function fileIn(node: Folder | FileEntry | undefined): FileEntry | undefined {
  return node === undefined || isFolder(node) ? undefined : node;
}

/** Hashes are kept beside the nodes, not in them, so that most nodes never pay for one. */
const folderHashes = new WeakMap<Folder, string>();

/** Merkle hash over keys, modes and content hashes: equal for equal trees, whatever their history. */
export function hashFolder(folder: Folder): string {
  const known = folderHashes.get(folder);
  if (known !== undefined) return known;
  let text = '';
  for (const [index, node] of folder.children.entries()) {
    const key = folder.keys[index] ?? '';
    text += isFolder(node) ? `folder ${hashFolder(node)} ${key}\0` : `${node.mode} ${node.hash} ${key}\0`;
  }
  const computed = sha256(text);
  folderHashes.set(folder, computed);
  return computed;
}

/** The form in which file systems compare names that take letter case or Unicode's composed forms for the same. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

const ascii = /^[\0-\x7f]*$/;

/** The name of another child that folds onto `part`. */
function twinIn({ keys }: Folder, part: string): string | undefined {
  const folded = fold(part);
  // What folds to ASCII folds unit by unit, so most names of most folders are told apart by their length.
  const sameLength = ascii.test(folded);
  for (const key of keys) {
    const length = key.endsWith('/') ? key.length - 1 : key.length;
    if (sameLength && length !== part.length) continue;
    const name = key.slice(0, length);
    if (name !== part && fold(name) === folded) return name;
  }
  return undefined;
}

/**
 * The path of an existing file or folder that differs from `path` only in letter case, or in how Unicode composes its
 * characters (NFC or NFD), in some part, if there is one. Some file systems would fold the two onto each other.
 */
export function caseTwin(root: Folder, path: string): string | undefined {
  let folder: Folder | undefined = root;
  let done = 0;
  for (const part of path.split('/')) {
    if (folder === undefined) return undefined;
    const twin = twinIn(folder, part);
    if (twin !== undefined) return path.slice(0, done) + twin;
    const next: Folder | FileEntry | undefined = child(folder, `${part}/`);
    folder = next !== undefined && isFolder(next) ? next : undefined;
    done += part.length + 1;
  }
  return undefined;
}
