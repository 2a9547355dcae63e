import type { BlobHash } from '#protocol/change-sets.ts';

/** Thrown when a pure step needs a content that is not in memory: load it and take the step again. */
class ContentMissing extends Error {
  readonly hash: BlobHash;

  constructor(hash: BlobHash) {
    super(`content ${hash} is not in memory`);
    this.hash = hash;
  }
}

/** Contents by hash, for steps that do no I/O. @throws ContentMissing */
export type Contents = (hash: BlobHash) => Uint8Array;

/**
 * Takes `step` until it has all contents it asks for. The step runs without a pause between its last missing content and
 * its end, so whatever it reads and decides is of one moment.
 */
export async function withContents<Result>(
  peek: (hash: BlobHash) => Uint8Array | undefined,
  load: (hash: BlobHash) => Promise<Uint8Array>,
  step: (contents: Contents) => Result,
): Promise<Result> {
  // What was loaded stays here until the step is done, whatever the cache drops.
  const loaded = new Map<BlobHash, Uint8Array>();
  const contents: Contents = (hash) => {
    const content = loaded.get(hash) ?? peek(hash);
    if (content === undefined) throw new ContentMissing(hash);
    return content;
  };
  for (;;) {
    try {
      return step(contents);
    } catch (error) {
      if (!(error instanceof ContentMissing)) throw error;
      // oxlint-disable-next-line no-await-in-loop -- what is missing next shows only when this one is there
      loaded.set(error.hash, await load(error.hash));
    }
  }
}
