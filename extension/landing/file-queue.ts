/** Steps on one file run one after the other; those on different files do not wait for each other. */
export class FileQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(paths: readonly string[], step: () => Promise<Result>): Promise<Result> {
    const before = paths.map(async (path) => this.#last.get(path));
    const turn = (async () => {
      await Promise.all(before);
      return step();
    })();
    const done = turn.then(
      () => undefined,
      () => undefined,
    );
    for (const path of paths) this.#last.set(path, done);
    try {
      return await turn;
    } finally {
      for (const path of paths) if (this.#last.get(path) === done) this.#last.delete(path);
    }
  }
}
