import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { BlobHash } from '#protocol/change-sets.ts';
import type { Side } from '#protocol/landing-events.ts';
import { VcsError } from '#vcs/errors.ts';
import { sha256 } from '#vcs/hash.ts';
import type { Repository } from '#vcs/repository.ts';
import { sideOf } from './landing-merge.ts';
import type { Content } from './workspace-files.ts';

/** Of the store: contents that a review needs and version control does not have, by hash. */
export const reviewFolder = 'landing';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Before-images and proposals: durable before an event names them. */
export class ReviewContents {
  readonly #fileSystem: FileSystem;
  readonly #folder: string;
  readonly #repository: Repository;

  constructor(fileSystem: FileSystem, folder: string, repository: Repository) {
    this.#fileSystem = fileSystem;
    this.#folder = folder;
    this.#repository = repository;
  }

  /** @throws VcsError `no-such-blob`, `damaged` (the file in the store is not what its name says) */
  async bytes(hash: BlobHash): Promise<Uint8Array> {
    try {
      return await this.#repository.blob({ hash, mode: 'file', size: 0 });
    } catch (error) {
      if (!VcsError.is(error, 'no-such-blob')) throw error;
    }
    try {
      const bytes = await this.#fileSystem.readFile(join(this.#folder, hash));
      if (sha256(bytes) === hash) return bytes;
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new VcsError('no-such-blob', 'neither version control nor the review has this content', { hash });
    }
    throw new VcsError('damaged', 'a content does not match its hash', { hash });
  }

  async read(side: Side): Promise<Content> {
    return side === null ? undefined : { mode: side.mode, bytes: await this.bytes(side.hash) };
  }

  /** Durable when resolved. */
  async keep(content: Content): Promise<Side> {
    const side = sideOf(content);
    if (content === undefined || side === null || (await this.#has(side.hash))) return side;
    await this.#fileSystem.makeDirectory(this.#folder);
    const draft = join(this.#folder, `${side.hash}.draft`);
    await this.#fileSystem.remove(draft);
    const file = await this.#fileSystem.open(draft, 'append');
    try {
      await file.append(content.bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await this.#fileSystem.rename(draft, join(this.#folder, side.hash));
    await this.#fileSystem.syncDirectory(this.#folder);
    return side;
  }

  /** Removes what no event names any more. */
  async retain(hashes: ReadonlySet<BlobHash>): Promise<void> {
    for (const { name } of await this.#entries()) {
      if (!hashes.has(name)) await this.#fileSystem.remove(join(this.#folder, name));
    }
  }

  async #entries(): Promise<readonly { readonly name: string }[]> {
    try {
      return await this.#fileSystem.readDirectory(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #has(hash: BlobHash): Promise<boolean> {
    try {
      await this.bytes(hash);
      return true;
    } catch (error) {
      // A damaged one is written again.
      if (VcsError.is(error, 'no-such-blob') || VcsError.is(error, 'damaged')) return false;
      throw error;
    }
  }
}
