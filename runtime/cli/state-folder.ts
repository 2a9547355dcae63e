import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { CliError } from './errors.ts';
import type { Host } from './host.ts';
import type { StoreChoice } from './options.ts';

/** The folder that holds runs when no store is named. */
export function stateFolder(host: Pick<Host, 'environment' | 'platform' | 'home' | 'cwd'>): string {
  const { environment, platform, home } = host;
  const own = environment['SWARMWRIGHT_STATE'];
  if (own) return resolve(host.cwd, own);
  // The XDG specification: a path that is not absolute is to be ignored.
  const state = environment['XDG_STATE_HOME'];
  if (state && isAbsolute(state)) return join(state, 'swarmwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'swarmwright');
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? home, 'swarmwright');
  return join(home, '.local', 'state', 'swarmwright');
}

/** The path without symbolic links as far as it exists. */
async function realPath(host: Host, path: string): Promise<string> {
  const absolute = resolve(host.cwd, path);
  try {
    return await host.edges.fileSystem.realpath(absolute);
  } catch {
    return absolute;
  }
}

/** `runs/<basename>-<8 hex>` below the state folder: all runs of one workspace. */
async function runsFolder(host: Host, workspace: string): Promise<string> {
  const real = await realPath(host, workspace);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 8);
  const name = basename(real).replace(/[^\w.-]/gu, '_') || 'root';
  return join(stateFolder(host), 'runs', `${name}-${hash}`);
}

/** A folder for a new run of the workspace; it is not made here. */
export async function newStore(host: Host, workspace: string): Promise<string> {
  const { clock, randomness } = host.edges;
  const stamp = new Date(clock.now())
    .toISOString()
    .replace(/\.\d+Z$/u, 'Z')
    .replaceAll(/[-:]/gu, '');
  return join(await runsFolder(host, workspace), `${stamp}-${randomness.hex(2)}`);
}

/** Makes `store` the one that commands without --store mean. */
export async function rememberLatest(host: Host, workspace: string, store: string): Promise<void> {
  const { fileSystem, randomness } = host.edges;
  const folder = await runsFolder(host, workspace);
  await fileSystem.makeDirectory(folder);
  // Renamed into place, so that a reader or a kill never meets half a line.
  const draft = join(folder, `.latest-${randomness.hex(4)}`);
  await fileSystem.writeFile(draft, new TextEncoder().encode(`${store}\n`));
  await fileSystem.rename(draft, join(folder, 'latest'));
}

/** For a workspace that is about to be emptied: no earlier run belongs to what it will hold. */
export async function forgetLatest(host: Host, workspace: string): Promise<void> {
  await host.edges.fileSystem.remove(join(await runsFolder(host, workspace), 'latest'));
}

/** The store that is meant: the named one, or the latest of the workspace. @throws CliError `no-run` */
export async function findStore(host: Host, choice: StoreChoice): Promise<string> {
  if (choice.store !== undefined) return resolve(host.cwd, choice.store);
  const workspace = resolve(host.cwd, choice.workspace ?? '.');
  const pointer = join(await runsFolder(host, workspace), 'latest');
  let bytes: Uint8Array;
  try {
    bytes = await host.edges.fileSystem.readFile(pointer);
  } catch (error) {
    throw new CliError('no-run', 'the workspace has no latest run', { workspace }, error);
  }
  const store = new TextDecoder().decode(bytes).trim();
  if (isAbsolute(store)) return store;
  throw new CliError('latest-unreadable', 'the pointer holds no path', { pointer });
}
