import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { FileMode } from '#protocol/change-sets.ts';

/** A file with its bytes; undefined where there is none. */
export type Content = { readonly mode: FileMode; readonly bytes: Uint8Array } | undefined;

/** What stands at a path of the workspace. */
export type Found =
  | { readonly kind: 'absent' }
  /** `permissions` as in chmod(2). */
  | { readonly kind: 'file'; readonly content: NonNullable<Content>; readonly permissions: number }
  /** An empty folder, or one of empty folders. */
  | { readonly kind: 'empty-folder' }
  | { readonly kind: 'special' };

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Who may read it may run it, as chmod +x has it. */
function withMode(permissions: number, mode: 'file' | 'executable'): number {
  return mode === 'executable' ? permissions | ((permissions & 0o444) >> 2) : permissions & ~0o111;
}

export function isSameContent(left: Content, right: Content): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.mode === right.mode && Buffer.compare(left.bytes, right.bytes) === 0;
}

/** The user's workspace, as a landing reads and writes it: never through links, never over what has just changed. */
export class WorkspaceFiles {
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  readonly #run: string;
  readonly #replaced: string | undefined;
  #hasKept = false;

  /** `replaced`: where the files that are replaced or deleted are kept, as they were; undefined when the caller keeps them. */
  constructor(fileSystem: FileSystem, root: string, run: string, replaced: string | undefined) {
    this.#fileSystem = fileSystem;
    this.#root = root;
    this.#run = run;
    this.#replaced = replaced;
  }

  get kept(): { readonly replaced?: string } {
    return this.#hasKept && this.#replaced !== undefined ? { replaced: this.#replaced } : {};
  }

  /** Why the path cannot be written, if a part of its way is not a plain folder of this workspace. */
  async blockedWay(path: string): Promise<string | undefined> {
    const parts = path.split('/').slice(0, -1);
    for (let index = 1; index <= parts.length; index += 1) {
      const folder = parts.slice(0, index).join('/');
      const stats = await this.#stats(folder);
      if (stats === undefined) return undefined;
      if (stats.isSymbolicLink()) return `the folder ${folder} is a symbolic link`;
      if (!stats.isDirectory()) return `${folder} is a file, not a folder`;
      if ((await this.#stats(`${folder}/.git`)) !== undefined) return `${folder} is a repository of its own`;
    }
    return undefined;
  }

  async find(path: string): Promise<Found> {
    const stats = await this.#stats(path);
    if (stats === undefined) return { kind: 'absent' };
    const permissions = stats.mode & 0o7777;
    try {
      if (stats.isSymbolicLink()) {
        const bytes = new TextEncoder().encode(await this.#fileSystem.readLink(join(this.#root, path)));
        return { kind: 'file', permissions, content: { mode: 'symlink', bytes } };
      }
      if (stats.isDirectory()) return { kind: (await this.#isEmpty(path)) ? 'empty-folder' : 'special' };
      if (!stats.isFile()) return { kind: 'special' };
      const bytes = await this.#fileSystem.readFile(join(this.#root, path));
      return {
        kind: 'file',
        permissions,
        content: { mode: (permissions & 0o100) === 0 ? 'file' : 'executable', bytes },
      };
    } catch (error) {
      if (isMissing(error)) return { kind: 'absent' };
      throw error;
    }
  }

  /** Takes away what a landing that was killed has left beside the path. */
  async removeDraft(path: string): Promise<void> {
    await this.#fileSystem.remove(this.#draftOf(path));
  }

  /**
   * Puts `content` where `found` stood. Writes beside and renames, so that a kill leaves the old file or the new one;
   * false, and nothing done, when the path has changed since it was found.
   */
  async put(path: string, found: Found, content: Content): Promise<boolean> {
    const file = join(this.#root, path);
    if (content === undefined) {
      if (!(await this.#isStill(path, found))) return false;
      await this.#keep(path, found);
      if (found.kind === 'empty-folder') await this.#removeEmptyFolders(file);
      else if (found.kind === 'file') await this.#fileSystem.removeFile(file);
      await this.#removeEmptiedFolders(path);
      return true;
    }
    await this.#fileSystem.makeDirectory(dirname(file));
    const draft = this.#draftOf(path);
    let isPut = false;
    try {
      await this.#writeDraft(draft, content, found);
      if (!(await this.#isStill(path, found))) return false;
      await this.#keep(path, found);
      if (found.kind === 'empty-folder') await this.#removeEmptyFolders(file);
      await this.#fileSystem.rename(draft, file);
      isPut = true;
    } finally {
      if (!isPut) await this.#fileSystem.remove(draft);
    }
    return isPut;
  }

  /** The permissions of a file that is there stay as they are, but for the executable bits. */
  async #writeDraft(draft: string, { mode, bytes }: NonNullable<Content>, found: Found): Promise<void> {
    if (mode === 'symlink') {
      await this.#fileSystem.symlink(new TextDecoder().decode(bytes), draft);
      return;
    }
    const isFile = found.kind === 'file' && found.content.mode !== 'symlink';
    const before = isFile ? found.permissions : 0o644;
    const permissions = withMode(before, mode);
    await this.#fileSystem.writeFile(draft, bytes, isFile ? 0o600 : permissions);
    if (isFile) await this.#fileSystem.chmod(draft, permissions);
  }

  /** What the user had may be in no commit: it is kept beside the run, once a content. */
  async #keep(path: string, found: Found): Promise<void> {
    if (found.kind !== 'file' || this.#replaced === undefined) return;
    const { bytes } = found.content;
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    // A folder for each content: a name may be as long as a name can be.
    const file = join(this.#replaced, name, path);
    await this.#fileSystem.makeDirectory(dirname(file));
    await this.#fileSystem.remove(file);
    await this.#fileSystem.writeFile(file, bytes, 0o600);
    this.#hasKept = true;
  }

  /** Gives a file that stands there the executable bits of a mode, and nothing else. */
  async setMode(path: string, mode: 'file' | 'executable'): Promise<void> {
    const found = await this.find(path);
    if (found.kind !== 'file' || found.content.mode === 'symlink' || found.content.mode === mode) return;
    await this.#fileSystem.chmod(join(this.#root, path), withMode(found.permissions, mode));
  }

  async #isStill(path: string, found: Found): Promise<boolean> {
    const now = await this.find(path);
    if (now.kind !== found.kind) return false;
    return now.kind !== 'file' || found.kind !== 'file' || isSameContent(now.content, found.content);
  }

  /**
   * A version control system that keeps no folders leaves none behind. The file is gone by now: a folder that must stay,
   * because something has come into it or its own folder is read-only, makes that no failure.
   */
  async #removeEmptiedFolders(path: string): Promise<void> {
    try {
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
        await this.#fileSystem.removeEmptyFolder(join(this.#root, folder));
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  /** An empty folder, or one of empty folders; refuses when a file has come into one of them. */
  async #removeEmptyFolders(folder: string): Promise<void> {
    for (const { name } of await this.#fileSystem.readDirectory(folder)) {
      await this.#removeEmptyFolders(join(folder, name));
    }
    await this.#fileSystem.removeEmptyFolder(folder);
  }

  async #isEmpty(folder: string): Promise<boolean> {
    for (const entry of await this.#fileSystem.readDirectory(join(this.#root, folder))) {
      if (!entry.isDirectory() || !(await this.#isEmpty(`${folder}/${entry.name}`))) return false;
    }
    return true;
  }

  async #stats(path: string): Promise<Awaited<ReturnType<FileSystem['lstat']>> | undefined> {
    try {
      return await this.#fileSystem.lstat(join(this.#root, path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Beside the path. The same in each landing of the run, so that what a kill has left there is taken away. */
  #draftOf(path: string): string {
    const name = createHash('sha256').update(`${this.#run} ${path}`).digest('hex').slice(0, 12);
    return join(this.#root, dirname(path), `.swarmwright-${name}`);
  }
}
