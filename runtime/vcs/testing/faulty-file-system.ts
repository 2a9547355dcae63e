import { nodeFileSystem, type FileSystem, type OpenFile } from '#edges/file-system.ts';

/** Where a file system breaks: the `after`th call of `method` from now on (0: the next) and all that follow it. */
export interface Fault {
  readonly method: 'append' | 'datasync' | 'truncate' | 'open' | 'read' | 'writeFile';
  readonly after: number;
  readonly code: 'ENOSPC' | 'EIO' | 'EROFS';
  /** Bytes that an append still writes before it fails. */
  readonly partial?: number;
}

export interface FaultyFileSystem extends FileSystem {
  break(fault: Fault): void;
  mend(): void;
  /** Syncs so far. */
  readonly syncs: () => number;
}

/** The real file system until it is told to break. Without real syncs, which a test of bytes does not need. */
export function faultyFileSystem(): FaultyFileSystem {
  let broken: Fault | undefined;
  let calls = 0;
  let syncs = 0;
  const check = (method: Fault['method']): void => {
    if (broken?.method !== method) return;
    calls += 1;
    if (calls <= broken.after) return;
    throw Object.assign(new Error(`${broken.code}: made by a test`), { code: broken.code });
  };
  const wrap = (file: OpenFile): OpenFile => ({
    append: async (bytes) => {
      try {
        check('append');
      } catch (error) {
        await file.append(bytes.subarray(0, broken?.partial ?? 0));
        throw error;
      }
      await file.append(bytes);
    },
    datasync: async () => {
      syncs += 1;
      check('datasync');
      await Promise.resolve();
    },
    truncate: async (length) => {
      check('truncate');
      await file.truncate(length);
    },
    read: async (...where) => {
      check('read');
      return file.read(...where);
    },
    size: async () => file.size(),
    close: async () => file.close(),
  });
  return {
    ...nodeFileSystem,
    break: (fault) => {
      broken = fault;
      calls = 0;
    },
    mend: () => {
      broken = undefined;
    },
    syncs: () => syncs,
    syncDirectory: () => Promise.resolve(),
    writeFile: async (path, bytes, mode) => {
      check('writeFile');
      await nodeFileSystem.writeFile(path, bytes, mode);
    },
    open: async (path, how) => {
      check('open');
      return wrap(await nodeFileSystem.open(path, how));
    },
  };
}
