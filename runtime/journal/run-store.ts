import { dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { JournalError, type JournalErrorCode } from './errors.ts';
import { lockFileNames, lockStore, type StoreEdges, type StoreLock } from './store-lock.ts';

/**
 * Where the parts of a store lie, below its folder:
 *
 * - `format`: `swarmwright-store N`, the version of the layout; a folder is a store when it has this file
 * - `journal.sqlite`: the journal      - `vcs/`: the version control log      - `checkouts/`: can be made anew
 * - `lock.sqlite`, `owner.json`: who owns the store
 */
export interface StorePaths {
  readonly folder: string;
  readonly vcs: string;
  readonly checkouts: string;
}

/** A store that this process owns, until it is released. */
export interface RunStore {
  readonly paths: StorePaths;
  /** Once journal and version control are closed. */
  release(): Promise<void>;
  /** Releases a store in which no run has been started, and leaves its folder as it was found. */
  discard(): Promise<void>;
}

const version = 1;
const formatFile = 'format';
const draftFile = 'format.draft';
/** What a creation that was cut off can leave behind. */
const leftOvers: ReadonlySet<string> = new Set([...lockFileNames, 'owner.json.draft', draftFile]);

/**
 * Makes a store in a folder that is missing or empty, and owns it.
 * @throws JournalError `store-exists`, `not-empty`, `not-made`, `in-use`, `io`
 */
export async function createStore(folder: string, edges: StoreEdges): Promise<RunStore> {
  const { fileSystem } = edges;
  const isNew = !(await exists(folder, fileSystem));
  await inFileSystem(folder, async () => fileSystem.makeDirectory(folder), 'not-made');
  await refuseUnlessEmpty(folder, fileSystem);
  const lock = await lockStore(folder, edges);
  try {
    // Another process may have made a store, and released it, since the first look.
    await refuseUnlessEmpty(folder, fileSystem);
    await inFileSystem(folder, async () => {
      await fileSystem.chmod(folder, 0o700); // it holds the user's code and what models were told
      const draft = join(folder, draftFile);
      await fileSystem.writeFile(draft, new TextEncoder().encode(`swarmwright-store ${version}\n`));
      await syncFile(draft, fileSystem);
      await fileSystem.rename(draft, join(folder, formatFile));
      await fileSystem.syncDirectory(folder);
      await fileSystem.syncDirectory(dirname(folder));
    });
    return await ownedStore(folder, fileSystem, lock, isNew);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Owns a store that was made before. @throws JournalError `no-store`, `unknown-format`, `in-use`, `io` */
export async function openStore(folder: string, edges: StoreEdges): Promise<RunStore> {
  await findStore(folder, edges.fileSystem);
  const lock = await lockStore(folder, edges);
  try {
    return await ownedStore(folder, edges.fileSystem, lock, false);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Looks at a store that another process may own. @throws JournalError `no-store`, `unknown-format`, `io` */
export async function findStore(folder: string, fileSystem: FileSystem): Promise<StorePaths> {
  const found = await readVersion(folder, fileSystem);
  if (found === undefined) throw new JournalError('no-store', `${folder} holds no store`, { folder });
  if (found === version) return pathsIn(folder);
  throw new JournalError('unknown-format', `the store has format ${found}, not ${version}`, {
    folder,
    version: found,
    known: version,
  });
}

async function ownedStore(
  folder: string,
  fileSystem: FileSystem,
  lock: StoreLock,
  isNew: boolean,
): Promise<RunStore> {
  const paths = pathsIn(folder);
  await inFileSystem(folder, async () => {
    await fileSystem.makeDirectory(paths.vcs);
    await fileSystem.makeDirectory(paths.checkouts);
  });
  return {
    paths,
    release: async () => lock.release(),
    discard: async () => {
      // First it stops being a store; the lock's file goes last.
      const parts = [
        formatFile,
        'journal.sqlite',
        'journal.sqlite-wal',
        'journal.sqlite-shm',
        'vcs',
        'checkouts',
      ];
      for (const part of parts) {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        await fileSystem.remove(join(folder, part));
      }
      await lock.release();
      await Promise.all(lockFileNames.map(async (name) => fileSystem.remove(join(folder, name))));
      if (isNew) await fileSystem.remove(folder);
    },
  };
}

function pathsIn(folder: string): StorePaths {
  return { folder, vcs: join(folder, 'vcs'), checkouts: join(folder, 'checkouts') };
}

async function refuseUnlessEmpty(folder: string, fileSystem: FileSystem): Promise<void> {
  if ((await readVersion(folder, fileSystem)) !== undefined) {
    throw new JournalError('store-exists', `${folder} holds a store already`, { folder });
  }
  const entries = await inFileSystem(folder, async () => fileSystem.readDirectory(folder));
  const foreign = entries.find((entry) => !leftOvers.has(entry.name));
  if (!foreign) return;
  throw new JournalError('not-empty', `${folder} holds something that is no store: ${foreign.name}`, {
    folder,
    entry: foreign.name,
  });
}

/** Undefined where there is no store: no such file, or not one that we wrote. */
async function readVersion(folder: string, fileSystem: FileSystem): Promise<number | undefined> {
  let text: string;
  try {
    text = new TextDecoder().decode(await fileSystem.readFile(join(folder, formatFile)));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return undefined;
    throw new JournalError('io', `the format of ${folder} cannot be read`, { folder }, error);
  }
  const match = /^swarmwright-store (\d+)\n?$/u.exec(text);
  return match ? Number(match[1]) : undefined;
}

async function syncFile(path: string, fileSystem: FileSystem): Promise<void> {
  const file = await fileSystem.open(path, 'read-write');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function exists(path: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    await fileSystem.lstat(path);
    return true;
  } catch {
    return false;
  }
}

async function inFileSystem<Result>(
  folder: string,
  action: () => Promise<Result>,
  otherwise: JournalErrorCode = 'io',
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new JournalError('not-empty', `${folder} is no folder`, { folder }, error);
    }
    throw new JournalError(
      otherwise,
      `the store ${folder} cannot be made: ${code}`,
      { folder, reason: code },
      error,
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
