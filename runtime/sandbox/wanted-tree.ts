import type { FileEntry } from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import { eachInOrder } from './each.ts';
import { SandboxError } from './errors.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** What a checkout should hold: a tree, prepared for comparing it with a folder. */
export interface WantedTree {
  readonly tree: FileTree;
  readonly files: ReadonlyMap<string, FileEntry>;
  /** All folders that hold a file, at any depth, without the root. */
  readonly folders: ReadonlySet<string>;
  readonly rules: IgnoreRules;
}

/** The folder of a path, '' for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Trees come from a store that checks names; a checkout is the last place that can, so it does not rely on that. */
function requireSafe(path: string): void {
  const unsafe = path
    .split('/')
    .some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'));
  if (unsafe)
    throw new SandboxError('unsafe-path', `a tree holds the path ${JSON.stringify(path)}`, { path });
}

/** @throws SandboxError `unsafe-path`; what `tree.read` throws */
export async function wantedTree(tree: FileTree): Promise<WantedTree> {
  const files = new Map<string, FileEntry>();
  const folders = new Set<string>();
  const ignoreFiles: string[] = [];
  for (const [path, entry] of tree.walk()) {
    requireSafe(path);
    files.set(path, entry);
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
    }
    const isRules = path === '.gitignore' || path.endsWith('/.gitignore');
    if (isRules && entry.mode !== 'symlink') ignoreFiles.push(path);
  }
  const texts = new Map<string, string>();
  await eachInOrder(ignoreFiles, async (path) => {
    texts.set(path, Buffer.from(await tree.read(path)).toString('utf8'));
  });
  return { tree, files, folders, rules: new IgnoreRules(texts) };
}
