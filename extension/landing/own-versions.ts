import type { LandingTarget } from '#protocol/landing-api.ts';

/**
 * Which version of a proposal followed which by the user's own edits: who has seen the one has written the other, so that a
 * decision on it is no decision on something unseen.
 */
export class OwnVersions {
  readonly #next = new Map<string, number>();
  #landing = '';

  /** An edit of the version `from` has become `to`. Where something else came between them, the user has not seen that. */
  wrote(landing: string, path: string, from: number, to: number): void {
    if (landing !== this.#landing) this.#next.clear();
    this.#landing = landing;
    if (to === from + 1) this.#next.set(keyOf(path, from), to);
  }

  newest(landing: string, { path, version }: LandingTarget): LandingTarget {
    if (landing !== this.#landing) return { path, version };
    let newest = version;
    for (
      let next = this.#next.get(keyOf(path, newest));
      next !== undefined;
      next = this.#next.get(keyOf(path, newest))
    ) {
      newest = next;
    }
    return { path, version: newest };
  }
}

function keyOf(path: string, version: number): string {
  return `${version} ${path}`;
}
