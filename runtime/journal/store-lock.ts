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

/** Who owns a store, as far as that is written: not in the moment between locking and writing. */
export interface StoreOwner {
  readonly pid?: number;
  /** Milliseconds since the Unix epoch. */
  readonly since?: number;
  readonly host?: string;
}

/** Primary result code SQLITE_BUSY, https://sqlite.org/rescode.html */
const busy = 5;
/** Rides out someone who only looks, see `storeOwner`. */
const patienceMilliseconds = 100;

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
  const owner: Required<StoreOwner> = { pid: process.pid, since: edges.clock.now(), host: hostname() };
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

/**
 * Who owns the store now; undefined when nobody does, whatever `owner.json` says. Asks the lock itself, so no process
 * id that has been given to someone else can mislead it.
 * @throws JournalError `io`
 */
export async function storeOwner(folder: string, fileSystem: FileSystem): Promise<StoreOwner | undefined> {
  const file = join(folder, 'lock.sqlite');
  try {
    await fileSystem.lstat(file);
  } catch {
    return undefined;
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return undefined;
  } catch (error) {
    if (isBusy(error)) return await describeOwner(join(folder, 'owner.json'), fileSystem);
    throw new JournalError('io', 'the lock of the store cannot be looked at', { folder }, error);
  } finally {
    database?.close();
  }
}

async function lockDatabase(folder: string, describe: () => Promise<StoreOwner>): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: patienceMilliseconds });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (!isBusy(error)) {
      throw new JournalError('io', 'the store could not be locked', { folder }, error);
    }
    const owner = await describe();
    const who = owner.pid === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
    throw new JournalError('in-use', `${who} owns the store`, { folder, ...owner }, error);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === busy;
}

async function describeOwner(file: string, fileSystem: FileSystem): Promise<StoreOwner> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await fileSystem.readFile(file)));
    return isOwner(value) ? { pid: value.pid, since: value.since, host: value.host } : {};
  } catch {
    return {};
  }
}

function isOwner(value: unknown): value is Required<StoreOwner> {
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
