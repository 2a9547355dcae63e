import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileSystem } from '#edges/file-system.ts';
import type { FileEntry } from '#protocol/change-sets.ts';
import { errorCode } from './errors.ts';

interface Known {
  readonly entry: FileEntry;
  readonly stat: Stats;
}

/** What was written into a checkout and how the disk described it then. In memory only: it is never trusted over a restart. */
export class Manifest {
  readonly #fileSystem: FileSystem;
  readonly #known = new Map<string, Known>();
  #newest = 0;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  set(path: string, entry: FileEntry, stat: Stats): void {
    this.#known.set(path, { entry, stat });
    this.#newest = Math.max(this.#newest, stat.ctimeMs);
  }

  delete(path: string): void {
    this.#known.delete(path);
  }

  clear(): void {
    this.#known.clear();
  }

  /** Forgets what is not in `files`. */
  keepOnly(files: ReadonlyMap<string, unknown>): void {
    for (const path of this.#known.keys()) if (!files.has(path)) this.#known.delete(path);
  }

  /** Whether the file at `location` still is what `entry` says. Reads it only when its stat does not tell. */
  async holds(path: string, location: string, entry: FileEntry): Promise<boolean> {
    const known = this.#known.get(path);
    if (known === undefined || known.entry.hash !== entry.hash || known.entry.mode !== entry.mode)
      return false;
    const stat = await this.#stat(location);
    if (stat === undefined) return false;
    if (this.#tells(known.stat, stat)) return true;
    if (stat.mode !== known.stat.mode || stat.size !== known.stat.size) return false;
    const bytes = stat.isSymbolicLink()
      ? Buffer.from(await this.#fileSystem.readLink(location))
      : await this.#fileSystem.readFile(location);
    if (hash('sha256', bytes, 'hex') !== entry.hash) return false;
    this.set(path, entry, stat);
    return true;
  }

  async #stat(location: string): Promise<Stats | undefined> {
    try {
      return await this.#fileSystem.lstat(location);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Equal stats prove equal content, except for files of the newest tick: the kernel's clock for files is coarse (some
   * milliseconds), so a command that began in the tick of the last write could change them without changing their ctime.
   */
  #tells(before: Stats, now: Stats): boolean {
    return (
      before.ctimeMs < this.#newest &&
      before.ctimeMs === now.ctimeMs &&
      before.mtimeMs === now.mtimeMs &&
      before.ino === now.ino &&
      before.size === now.size &&
      before.mode === now.mode
    );
  }
}
