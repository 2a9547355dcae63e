import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { FileEntry } from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import { scanCheckout } from './checkout-scan.ts';
import { eachAtMost, eachInOrder } from './each.ts';
import { errorCode, SandboxError } from './errors.ts';
import { Manifest } from './manifest.ts';
import { isFolder, opened } from './opened.ts';
import { folderOf, wantedTree, type WantedTree } from './wanted-tree.ts';

const parallelWrites = 16;

/**
 * A folder that is brought to a tree by difference. Commands may do anything in it; whatever they did is found by
 * comparing stats and put back before the next command. Ignored files stay, so that builds are incremental.
 */
export class Checkout {
  readonly folder: string;
  readonly #fileSystem: FileSystem;
  readonly #manifest: Manifest;
  #wanted: WantedTree | undefined;

  /** `folder`: absolute; it must be new or empty, and nobody else may write there while a method runs. */
  constructor(fileSystem: FileSystem, folder: string) {
    this.folder = folder;
    this.#fileSystem = fileSystem;
    this.#manifest = new Manifest(fileSystem);
  }

  /** @throws SandboxError `checkout`, `unsafe-path`; what `tree.read` throws */
  async bringTo(tree: FileTree, ignored: 'keep' | 'remove'): Promise<void> {
    const wanted = await wantedTree(tree);
    this.#wanted = wanted;
    await this.#disk(async () => {
      await this.#secureRoot();
      const difference = await scanCheckout(
        this.#fileSystem,
        this.folder,
        this.#manifest,
        wanted,
        ignored === 'keep',
      );
      if (difference.hasNameless) {
        throw new SandboxError('checkout', `a name in ${this.folder} is not UTF-8`, { folder: this.folder });
      }
      this.#manifest.keepOnly(wanted.files);
      await eachInOrder(byFolder(difference.strays), async ([folder, paths]) => {
        if (!(await this.#secure(folder, false))) return;
        await eachAtMost(parallelWrites, paths, async (path) => this.#remove(join(this.folder, path)));
      });
      // One folder after the other: its parents are checked once, right before its files are written.
      await eachInOrder(byFolder(difference.wrong), async ([folder, paths]) => {
        await this.#secure(folder, true);
        await eachAtMost(parallelWrites, paths, async (path) => this.#write(path, wanted));
      });
    });
  }

  /** Paths that differ from the tree of the last `bringTo` and are not ignored, sorted. @throws SandboxError `checkout` */
  async changes(): Promise<string[]> {
    const wanted = this.#wanted;
    if (wanted === undefined) return [];
    return this.#disk(async () => {
      await this.#secureRoot();
      const { wrong, strayFiles } = await scanCheckout(
        this.#fileSystem,
        this.folder,
        this.#manifest,
        wanted,
        true,
      );
      return [...new Set([...wrong, ...strayFiles])].toSorted();
    });
  }

  /** Trouble with the disk is told as such; what a tree or a caller throws is passed on. */
  async #disk<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw new SandboxError(
        'checkout',
        `checkout ${this.folder}: ${code}`,
        { code, folder: this.folder },
        error,
      );
    }
  }

  async #secureRoot(): Promise<void> {
    if (await isFolder(this.#fileSystem, this.folder)) return;
    await this.#fileSystem.remove(this.folder);
    await this.#fileSystem.makeDirectory(this.folder);
    this.#manifest.clear();
  }

  /**
   * Makes sure that every part of `folder` is a real folder and no link that a command planted, so that nothing is
   * written or removed outside the checkout. Resolves to whether it is there.
   */
  async #secure(folder: string, create: boolean): Promise<boolean> {
    let location = this.folder;
    let there = true;
    await eachInOrder(folder === '' ? [] : folder.split('/'), async (part) => {
      location = join(location, part);
      if (!there || (await isFolder(this.#fileSystem, location))) return;
      there = create;
      if (!create) return;
      await this.#remove(location);
      await opened(this.#fileSystem, location, async () => this.#fileSystem.makeDirectory(location));
    });
    return there;
  }

  async #remove(location: string): Promise<void> {
    await opened(this.#fileSystem, location, async () => this.#fileSystem.remove(location));
  }

  /** A new file each time: the old one may be a pipe, be linked from elsewhere, or be closed to its owner. */
  async #write(path: string, wanted: WantedTree): Promise<void> {
    const entry = wanted.files.get(path);
    if (entry === undefined) return;
    this.#manifest.delete(path);
    const bytes = await wanted.tree.read(path);
    const location = join(this.folder, path);
    await this.#remove(location);
    await opened(this.#fileSystem, location, async () => this.#create(location, entry, bytes));
    this.#manifest.set(path, entry, await this.#fileSystem.lstat(location));
  }

  async #create(location: string, entry: FileEntry, bytes: Uint8Array): Promise<void> {
    switch (entry.mode) {
      case 'symlink':
        await this.#fileSystem.symlink(Buffer.from(bytes).toString('utf8'), location);
        return;
      case 'executable':
        await this.#fileSystem.writeFile(location, bytes, 0o755);
        return;
      case 'file':
        await this.#fileSystem.writeFile(location, bytes, 0o644);
        return;
      default:
        entry.mode satisfies never;
    }
  }
}

function byFolder(
  paths: readonly string[],
): readonly (readonly [folder: string, paths: readonly string[]])[] {
  return [...Map.groupBy(paths, folderOf)];
}
