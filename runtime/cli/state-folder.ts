import { resolve } from 'node:path';
import { RunFolders, stateFolder } from '#journal/run-folders.ts';
import { CliError } from './errors.ts';
import type { Host } from './host.ts';
import type { StoreChoice } from './options.ts';

/** Where runs are kept when no store is named. */
export function runFolders(host: Host): RunFolders {
  const { environment, cwd } = host;
  const own = environment['SWARMWRIGHT_STATE'];
  // A terminal has a current folder that a relative path can mean.
  const absolute = own ? { ...environment, SWARMWRIGHT_STATE: resolve(cwd, own) } : environment;
  return new RunFolders(stateFolder({ ...host, environment: absolute }), host.edges);
}

/** The store that is meant: the named one, or the latest of the workspace. @throws CliError `no-run` */
export async function findStore(host: Host, choice: StoreChoice): Promise<string> {
  if (choice.store !== undefined) return resolve(host.cwd, choice.store);
  const workspace = resolve(host.cwd, choice.workspace ?? '.');
  const folders = runFolders(host);
  const latest = await folders.latest(workspace);
  if (latest === undefined) throw new CliError('no-run', 'the workspace has no latest run', { workspace });
  if (latest.store !== undefined) return latest.store;
  const pointer = await folders.pointer(workspace);
  throw new CliError('latest-unreadable', 'the pointer holds no path', { pointer });
}
