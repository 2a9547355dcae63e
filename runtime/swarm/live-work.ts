/** What runs is agents of tasks, or resolvers: a brake stops the first and lets the others drain. */
export type WorkGroup = 'resolvers' | 'tasks';

interface Running {
  readonly group: WorkGroup;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** The work that runs in this process, by key. Each piece can be stopped alone, by its group, or with all others. */
export class LiveWork {
  readonly #running = new Map<string, Running>();
  readonly #closed = new Set<WorkGroup>();
  readonly #failed: (error: unknown, group: WorkGroup) => Promise<void>;
  readonly #ended: () => void;

  /** `failed` is told of errors, but not of what was stopped; `ended` of each piece that has ended. */
  constructor(failed: (error: unknown, group: WorkGroup) => Promise<void>, ended: () => void) {
    this.#failed = failed;
    this.#ended = ended;
  }

  get size(): number {
    return this.#running.size;
  }

  has(key: string): boolean {
    return this.#running.has(key);
  }

  isClosed(group: WorkGroup): boolean {
    return this.#closed.has(group);
  }

  /** Starts the work unless it runs already or its group is closed. */
  launch(key: string, group: WorkGroup, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#running.has(key) || this.#closed.has(group)) return;
    const abort = new AbortController();
    const ended = this.#run(key, group, abort.signal, work);
    this.#running.set(key, { group, abort, ended });
  }

  async #run(
    key: string,
    group: WorkGroup,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) await this.#failed(error, group);
    } finally {
      this.#running.delete(key);
      this.#ended();
    }
  }

  stop(key: string, reason: string): void {
    this.#running.get(key)?.abort.abort(new Error(reason));
  }

  /** Stops what runs of the group; nothing of it starts again. */
  close(group: WorkGroup, reason: string): void {
    this.#closed.add(group);
    for (const running of this.#running.values()) {
      if (running.group === group) running.abort.abort(new Error(reason));
    }
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(async ({ ended }) => ended));
    }
  }
}
