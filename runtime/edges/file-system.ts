import { constants, type Dirent, existsSync, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';

/** An open file. Offsets and lengths are in bytes. */
export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** Writes all of `bytes` at the end of the file when it was opened for appending. */
  append(bytes: Uint8Array): Promise<void>;
  /** Returns when the file's data is on the disk (`fdatasync`). */
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/**
 * The file system, as far as the runtime uses it. Paths are absolute. Errors are Node's, with their `code`
 * (`ENOENT`, `ENOSPC`, `EIO`, `EROFS`, …). No method follows a symbolic link in the last part of the path unless it says so.
 */
export interface FileSystem {
  /** Follows links. */
  readFile(path: string): Promise<Uint8Array>;
  /** Creates or truncates; refuses (`ELOOP`) when the last part is a symbolic link. `mode` as in chmod(2). */
  writeFile(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  open(path: string, how: 'append' | 'read' | 'read-write'): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  readDirectory(path: string): Promise<Dirent[]>;
  lstat(path: string): Promise<Stats>;
  /** Follows links. */
  stat(path: string): Promise<Stats>;
  realpath(path: string): Promise<string>;
  readLink(path: string): Promise<string>;
  symlink(target: string, path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Removes a file, a link or a whole folder; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  /** Removes a file or a link, and refuses a folder. */
  removeFile(path: string): Promise<void>;
  /** Removes a folder, and refuses (`ENOTEMPTY`) one that holds anything. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Makes the entries of a folder durable (fsync of the folder). */
  syncDirectory(path: string): Promise<void>;
}

const openFlags = { append: 'a', read: 'r', 'read-write': 'r+' } as const;

class NodeFile implements OpenFile {
  readonly #handle: fs.FileHandle;

  constructor(handle: fs.FileHandle) {
    this.#handle = handle;
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return (await this.#handle.read(buffer, offset, length, position)).bytesRead;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.appendFile(bytes);
  }

  async datasync(): Promise<void> {
    await this.#handle.datasync();
  }

  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

export const nodeFileSystem: FileSystem = {
  readFile: async (path) => fs.readFile(path),
  writeFile: async (path, bytes, mode = 0o644) => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    const handle = await fs.open(path, flags, mode);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  },
  open: async (path, how) => new NodeFile(await fs.open(path, openFlags[how])),
  rename: async (from, to) => fs.rename(from, to),
  makeDirectory: async (path) => {
    await fs.mkdir(path, { recursive: true });
  },
  readDirectory: async (path) => fs.readdir(path, { withFileTypes: true }),
  lstat: async (path) => fs.lstat(path),
  stat: async (path) => fs.stat(path),
  realpath: async (path) => fs.realpath(path),
  readLink: async (path) => fs.readlink(path),
  symlink: async (target, path) => fs.symlink(target, path),
  chmod: async (path, mode) => fs.chmod(path, mode),
  remove: async (path) => fs.rm(path, { recursive: true, force: true }),
  removeFile: async (path) => fs.unlink(path),
  removeEmptyFolder: async (path) => fs.rmdir(path),
  syncDirectory: async (path) => {
    const handle = await fs.open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

/** Whether something is at the path; links are followed. For the journal's thread, which is as synchronous as its database. */
export function existsNow(path: string): boolean {
  return existsSync(path);
}
