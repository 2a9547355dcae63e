import type { BlobHash } from '#protocol/change-sets.ts';
import { VcsError } from './errors.ts';
import { sha256 } from './hash.ts';
import type { LogStore } from './log-store.ts';
import type { BlobPlace } from './record-codec.ts';

interface Location {
  readonly record: number;
  readonly offset: number;
  readonly size: number;
}

/** Contents by hash. They lie in the log's records; memory holds where, and those used last. */
export class BlobStore {
  readonly #log: LogStore;
  readonly #cacheBytes: number;
  readonly #locations = new Map<BlobHash, Location>();
  /** In order of use, least recent first. */
  readonly #cache = new Map<BlobHash, Uint8Array>();
  #cached = 0;

  constructor(log: LogStore, cacheBytes: number) {
    this.#log = log;
    this.#cacheBytes = cacheBytes;
  }

  has(hash: BlobHash): boolean {
    return this.#locations.has(hash);
  }

  /** Notes where a record's blobs lie. */
  locate(record: number, places: readonly BlobPlace[]): void {
    for (const { hash, offset, size } of places) {
      if (!this.#locations.has(hash)) this.#locations.set(hash, { record, offset, size });
    }
  }

  /** Keeps a content that was just written, for those who read it next. */
  keep(hash: BlobHash, content: Uint8Array): void {
    if (content.length > this.#cacheBytes / 4 || this.#cache.has(hash)) return;
    this.#cache.set(hash, content);
    this.#cached += content.length;
    for (const [oldest, { length }] of this.#cache) {
      if (this.#cached <= this.#cacheBytes) break;
      this.#cache.delete(oldest);
      this.#cached -= length;
    }
  }

  peek(hash: BlobHash): Uint8Array | undefined {
    const content = this.#cache.get(hash);
    if (content !== undefined) {
      this.#cache.delete(hash);
      this.#cache.set(hash, content);
    }
    return content;
  }

  /** @throws VcsError `no-such-blob`, `damaged`, `io`, `closed` */
  async load(hash: BlobHash): Promise<Uint8Array> {
    const cached = this.peek(hash);
    if (cached !== undefined) return cached;
    const location = this.#locations.get(hash);
    if (location === undefined) throw new VcsError('no-such-blob', 'the log holds no such content', { hash });
    const content = await this.#log.read(location.record, location.offset, location.size);
    // The disk may have changed since the log was opened.
    if (sha256(content) !== hash)
      throw new VcsError('damaged', 'a content does not match its hash', { hash });
    this.keep(hash, content);
    return content;
  }
}
