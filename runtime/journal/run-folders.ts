import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Clock } from '#edges/clock.ts';
import type { FileSystem } from '#edges/file-system.ts';
import type { Randomness } from '#edges/randomness.ts';

/** What decides where runs are kept. */
export interface StatePlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** The folder that holds runs when no store is named. `SWARMWRIGHT_STATE` counts when it is absolute. */
export function stateFolder({ environment, platform, home }: StatePlace): string {
  const own = environment['SWARMWRIGHT_STATE'];
  if (own && isAbsolute(own)) return own;
  // The XDG specification: a path that is not absolute is to be ignored.
  const state = environment['XDG_STATE_HOME'];
  if (state && isAbsolute(state)) return join(state, 'swarmwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'swarmwright');
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? home, 'swarmwright');
  return join(home, '.local', 'state', 'swarmwright');
}

export interface RunFolderEdges {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly fileSystem: FileSystem;
}

/** Where the runs of workspaces are kept, shared by all surfaces: a run that one starts, another can resume. */
export class RunFolders {
  readonly #state: string;
  readonly #edges: RunFolderEdges;

  constructor(state: string, edges: RunFolderEdges) {
    this.#state = state;
    this.#edges = edges;
  }

  /** A folder for a new run of the workspace; it is not made here. */
  async newStore(workspace: string): Promise<string> {
    const { clock, randomness } = this.#edges;
    const stamp = new Date(clock.now())
      .toISOString()
      .replace(/\.\d+Z$/u, 'Z')
      .replaceAll(/[-:]/gu, '');
    return join(await this.#folder(workspace), `${stamp}-${randomness.hex(2)}`);
  }

  /** Makes `store` the workspace's latest. */
  async rememberLatest(workspace: string, store: string): Promise<void> {
    const { fileSystem, randomness } = this.#edges;
    const folder = await this.#folder(workspace);
    await fileSystem.makeDirectory(folder);
    // Renamed into place, so that a reader or a kill never meets half a line.
    const draft = join(folder, `.latest-${randomness.hex(4)}`);
    await fileSystem.writeFile(draft, new TextEncoder().encode(`${store}\n`));
    await fileSystem.rename(draft, join(folder, 'latest'));
  }

  /** For a workspace that is about to be emptied: no earlier run belongs to what it will hold. */
  async forgetLatest(workspace: string): Promise<void> {
    await this.#edges.fileSystem.remove(await this.pointer(workspace));
  }

  /** The file that names the workspace's latest store. */
  async pointer(workspace: string): Promise<string> {
    return join(await this.#folder(workspace), 'latest');
  }

  /** The workspace's latest store: undefined when there is none, without `store` when the pointer names no path. */
  async latest(workspace: string): Promise<{ readonly store?: string } | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#edges.fileSystem.readFile(await this.pointer(workspace));
    } catch {
      return undefined;
    }
    const store = new TextDecoder().decode(bytes).trim();
    return isAbsolute(store) ? { store } : {};
  }

  /** Folders in which the workspace's runs are kept, newest first; one that lies elsewhere only while it is the latest. */
  async all(workspace: string): Promise<readonly string[]> {
    const folder = await this.#folder(workspace);
    const latest = await this.latest(workspace);
    const entries = await this.#entries(folder);
    const stores = entries
      .toSorted()
      .toReversed()
      .map((name) => join(folder, name));
    const named = latest?.store === undefined ? [] : [latest.store];
    return [...new Set([...named, ...stores])];
  }

  /** The store lies among the runs of some workspace, or would if it were still there. */
  async holds(store: string): Promise<boolean> {
    const [runs, there] = [join(this.#state, 'runs'), resolve(store)];
    const [realRuns, realStore] = [await this.#realPath(runs), await this.#realPath(there)];
    // A store that is gone has no real path.
    return isInside(realRuns, realStore) || (realStore === there && isInside(runs, there));
  }

  async #entries(folder: string): Promise<readonly string[]> {
    try {
      const entries = await this.#edges.fileSystem.readDirectory(folder);
      return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    } catch {
      return [];
    }
  }

  /** `runs/<basename>-<8 hex>` below the state folder: all runs of one workspace. */
  async #folder(workspace: string): Promise<string> {
    const real = await this.#realPath(workspace);
    const hash = createHash('sha256').update(real).digest('hex').slice(0, 8);
    const name = basename(real).replace(/[^\w.-]/gu, '_') || 'root';
    return join(this.#state, 'runs', `${name}-${hash}`);
  }

  /** The path without symbolic links as far as it exists. */
  async #realPath(path: string): Promise<string> {
    try {
      return await this.#edges.fileSystem.realpath(path);
    } catch {
      return path;
    }
  }
}

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
