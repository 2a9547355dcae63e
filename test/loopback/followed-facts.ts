import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemScheduler } from '#edges/scheduler.ts';
import type { JournalReader } from '#journal/journal.ts';
import { readJournal } from '#journal/sqlite-journal.ts';
import type { Facts } from '#models/facts.ts';
import { RunProjection } from '#protocol/projection.ts';

/** Where the run is whose facts count: one store, or the newest below a state folder. */
export type RunPlace = { readonly store: string } | { readonly state: string };

interface Followed {
  readonly store: string;
  readonly reader: JournalReader;
  readonly projection: RunProjection;
}

/** Milliseconds between two looks while somebody waits. */
const interval = 25;

/** The facts of a run that another process makes, read from its journal while it writes it. */
export class FollowedFacts implements Facts {
  readonly #place: RunPlace;
  #followed: Followed | undefined;
  #looking: Promise<void> | undefined;
  #lookingAgain: Promise<void> | undefined;

  constructor(place: RunPlace) {
    this.#place = place;
  }

  holds(fact: string): boolean {
    const cut = fact.lastIndexOf(' ');
    return this.#followed?.projection.fact(fact.slice(0, cut), fact.slice(cut + 1)) ?? false;
  }

  async when(fact: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      await this.#look();
      if (this.holds(fact)) return;
      await systemScheduler.sleep(interval, signal);
    }
  }

  async close(): Promise<void> {
    await this.#looking;
    await this.#followed?.reader.close();
  }

  /** A look that begins now or later: one that is under way may have missed that a new run has begun. */
  async #look(): Promise<void> {
    if (!this.#looking) {
      this.#looking = this.#readNewest().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    this.#lookingAgain ??= this.#looking.then(async () => {
      this.#lookingAgain = undefined;
      return this.#look();
    });
    return this.#lookingAgain;
  }

  async #readNewest(): Promise<void> {
    const store = 'store' in this.#place ? this.#place.store : await newestStore(this.#place.state);
    if (store === undefined) return;
    try {
      if (this.#followed?.store !== store) {
        await this.#followed?.reader.close();
        this.#followed = undefined;
        this.#followed = { store, reader: await readJournal(store), projection: new RunProjection() };
      }
      const { reader, projection } = this.#followed;
      for (const event of await reader.events(projection.version)) projection.apply(event);
    } catch {
      // The store may be half made, or gone: the next look tells.
      const { reader } = this.#followed ?? {};
      this.#followed = undefined;
      await reader?.close().catch(() => undefined);
    }
  }
}

/** `runs/WORKSPACE/RUN` below the state folder; the file `format` is written once, when a store is made. */
async function newestStore(state: string): Promise<string | undefined> {
  const runs = join(state, 'runs');
  const found: { readonly store: string; readonly made: number }[] = [];
  for (const workspace of await entries(runs)) {
    for (const run of await entries(join(runs, workspace))) {
      const store = join(runs, workspace, run);
      const made = await madeAt(join(store, 'format'));
      if (made !== undefined) found.push({ store, made });
    }
  }
  return found.toSorted((left, right) => left.made - right.made).at(-1)?.store;
}

async function entries(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function madeAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}
