import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#edges/clock.ts';
import type { FileSystem } from '#edges/file-system.ts';
import { JournalError } from './errors.ts';

/** What a store's lock and layout need of the world. */
export interface StoreEdges {
  readonly clock: Clock;
  readonly fileSystem: FileSystem;
}

/** Held as long as the object is: keep it, and release it at the end. */
export interface StoreLock {
  release(): Promise<void>;
}

export const lockFileNames: readonly string[] = ['lock.sqlite', 'lock.sqlite-journal', 'owner.json'];

/** Primary result code SQLITE_BUSY, https://sqlite.org/rescode.html */
const busy = 5;

/**
 * Makes this process the only owner of a store. The lock is an exclusive transaction on a database of its own: the
 * system drops it with the process, whatever ended that, so it cannot be stale; SQLite minds it within a process and
 * between threads too. `owner.json` only says who it is.
 *
 * Nothing else may open `lock.sqlite`: on POSIX, closing any descriptor of a file drops the process's locks on it.
 * Opening blocks for a moment, once.
 * @throws JournalError `in-use`, `io`
 */
export async function lockStore(folder: string, edges: StoreEdges): Promise<StoreLock> {
  const ownerFile = join(folder, 'owner.json');
  const database = await lockDatabase(folder, async () => describeOwner(ownerFile, edges.fileSystem));
  const owner: Owner = { pid: process.pid, since: edges.clock.now(), host: hostname() };
  try {
    const draft = `${ownerFile}.draft`;
    await edges.fileSystem.writeFile(draft, new TextEncoder().encode(`${JSON.stringify(owner)}\n`));
    await edges.fileSystem.rename(draft, ownerFile);
  } catch (error) {
    database.close();
    throw new JournalError('io', 'the owner of the store could not be written', { folder }, error);
  }
  let released = false;
  return {
    release: async () => {
      if (released) return;
      released = true;
      await edges.fileSystem.remove(ownerFile);
      database.close();
    },
  };
}

async function lockDatabase(folder: string, describe: () => Promise<Partial<Owner>>): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (!(error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === busy)) {
      throw new JournalError('io', 'the store could not be locked', { folder }, error);
    }
    const owner = await describe();
    const who = owner.pid === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
    throw new JournalError('in-use', `${who} owns the store`, { folder, ...owner }, error);
  }
}

interface Owner {
  readonly pid: number;
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
  readonly host: string;
}

/** Empty in the moment between locking and writing. */
async function describeOwner(file: string, fileSystem: FileSystem): Promise<Partial<Owner>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await fileSystem.readFile(file)));
    return isOwner(value) ? { pid: value.pid, since: value.since, host: value.host } : {};
  } catch {
    return {};
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'since' in value &&
    typeof value.since === 'number' &&
    'host' in value &&
    typeof value.host === 'string'
  );
}
