import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';

/**
 * True when the process that `owner.json` names is there. The file goes when a run ends in order and stays after a
 * kill; the lock itself cannot be looked at without taking it. On another host nothing can be said: it is believed.
 */
export async function isStoreOwned(store: string, fileSystem: FileSystem): Promise<boolean> {
  let owner: unknown;
  try {
    owner = JSON.parse(new TextDecoder().decode(await fileSystem.readFile(join(store, 'owner.json'))));
  } catch {
    return false;
  }
  if (typeof owner !== 'object' || owner === null) return false;
  if (!('pid' in owner) || typeof owner.pid !== 'number' || !('host' in owner)) return false;
  return owner.host !== hostname() || isAlive(owner.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
