import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { errorCode } from './errors.ts';
import type { Manifest } from './manifest.ts';
import type { WantedTree } from './wanted-tree.ts';

/** How a folder differs from the tree that it should hold. */
export interface Difference {
  /** Files of the tree that are missing or different. */
  readonly wrong: readonly string[];
  /** What is there and should not be: files, and folders that hold nothing worth keeping. None lies below another. */
  readonly strays: readonly string[];
  /** The files among and below `strays`; a folder past the limit is named with a '/' at the end instead. */
  readonly strayFiles: readonly string[];
  /** Something has a name that is not UTF-8, so it cannot be removed by its name. */
  readonly hasNameless: boolean;
}

/** A command can make more files than anyone wants to read about; folders past this many are not looked into. */
const strayFileLimit = 1000;

/** What was found at or below a path. */
interface Found {
  /** Whether something in it stays where it is. */
  readonly stays: boolean;
  readonly strays: readonly string[];
}

const staying: Found = { stays: true, strays: [] };

class Scan {
  readonly #wrong: string[] = [];
  readonly #strayFiles: string[] = [];
  readonly #seen = new Set<string>();
  #hasNameless = false;
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  readonly #manifest: Manifest;
  readonly #wanted: WantedTree;
  readonly #keepIgnored: boolean;

  constructor(
    fileSystem: FileSystem,
    root: string,
    manifest: Manifest,
    wanted: WantedTree,
    keepIgnored: boolean,
  ) {
    this.#fileSystem = fileSystem;
    this.#root = root;
    this.#manifest = manifest;
    this.#wanted = wanted;
    this.#keepIgnored = keepIgnored;
  }

  async run(): Promise<Difference> {
    await this.#openFolder('');
    const { strays } = await this.#folder('', false);
    for (const path of this.#wanted.files.keys()) if (!this.#seen.has(path)) this.#wrong.push(path);
    return {
      wrong: this.#wrong,
      strays,
      strayFiles: this.#strayFiles,
      hasNameless: this.#hasNameless,
    };
  }

  async #folder(folder: string, inIgnored: boolean): Promise<Found> {
    const entries = await this.#read(folder);
    const found = await Promise.all(
      entries.map(async (entry) =>
        this.#entry(folder === '' ? entry.name : `${folder}/${entry.name}`, entry, inIgnored),
      ),
    );
    return { stays: found.some(({ stays }) => stays), strays: found.flatMap(({ strays }) => strays) };
  }

  async #entry(path: string, entry: Dirent, inIgnored: boolean): Promise<Found> {
    const file = this.#wanted.files.get(path);
    if (file !== undefined) {
      this.#seen.add(path);
      if (entry.isDirectory() || !(await this.#manifest.holds(path, join(this.#root, path), file))) {
        this.#wrong.push(path);
      }
      return staying;
    }
    const isFolder = entry.isDirectory();
    const isWantedFolder = this.#wanted.folders.has(path);
    const ignored =
      this.#keepIgnored && (inIgnored || this.#wanted.rules.ignores(path, isFolder ? 'folder' : 'file'));
    if (isWantedFolder && isFolder) {
      await this.#openFolder(path);
      return { ...(await this.#folder(path, ignored)), stays: true };
    }
    if (ignored && !isWantedFolder) return staying;
    this.#hasNameless ||= await this.#isNameless(path, entry);
    return isFolder ? this.#strayFolder(path) : this.#stray(path, path);
  }

  #stray(path: string, shown: string): Found {
    this.#strayFiles.push(shown);
    return { stays: false, strays: [path] };
  }

  async #strayFolder(path: string): Promise<Found> {
    if (this.#strayFiles.length >= strayFileLimit) return this.#stray(path, `${path}/`);
    const found = await this.#folder(path, false);
    // A folder that goes as a whole needs no list of what is in it.
    return found.stays ? found : { stays: false, strays: [path] };
  }

  /** A command may have closed a folder to its owner, or only to writing, which the next one would stumble over. */
  async #openFolder(folder: string): Promise<void> {
    const location = join(this.#root, folder);
    const { mode } = await this.#fileSystem.lstat(location);
    if ((mode & 0o700) !== 0o700) await this.#fileSystem.chmod(location, 0o755);
  }

  /** Names that are not UTF-8 come with replacement characters, by which there is no file. */
  async #isNameless(path: string, entry: Dirent): Promise<boolean> {
    if (!entry.name.includes('\uFFFD')) return false;
    try {
      await this.#fileSystem.lstat(join(this.#root, path));
      return false;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return true;
      throw error;
    }
  }

  async #read(folder: string): Promise<Dirent[]> {
    const location = join(this.#root, folder);
    try {
      return await this.#fileSystem.readDirectory(location);
    } catch (error) {
      const code = errorCode(error);
      // Removed in the meantime by something that outlived its command; or nested past what a path can say.
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return [];
      if (code !== 'EACCES') throw error;
      // A command may have closed a folder to its owner.
      await this.#fileSystem.chmod(location, 0o755);
      return this.#fileSystem.readDirectory(location);
    }
  }
}

/** Compares the folder `root` with `wanted`. Ignored files are not mentioned, or are strays when `keepIgnored` is false. */
export async function scanCheckout(
  fileSystem: FileSystem,
  root: string,
  manifest: Manifest,
  wanted: WantedTree,
  keepIgnored: boolean,
): Promise<Difference> {
  return new Scan(fileSystem, root, manifest, wanted, keepIgnored).run();
}
