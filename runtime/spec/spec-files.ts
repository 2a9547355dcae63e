import type { Dirent } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { SpecError } from './errors.ts';

/** Bytes of all documents together: several thousand pages, which take about a gigabyte of memory with their index. */
const mostBytes = 128 * 1024 ** 2;
/** Bytes of one document, which is parsed in one go unless it is HTML. */
const mostBytesOfOne = 32 * 1024 ** 2;
const mostDocuments = 10_000;

export interface SpecFile {
  /** Relative to the folder that was opened, with '/'. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface SpecFiles {
  readonly kind: 'file' | 'folder';
  /** Sorted, so that `2-x` comes before `10-y`. */
  readonly files: readonly SpecFile[];
}

const formats: Readonly<Record<string, SpecFormat>> = {
  '.md': 'markdown',
  '.txt': 'plain-text',
  '.html': 'html',
  '.htm': 'html',
};

export type SpecFormat = 'html' | 'markdown' | 'plain-text';

/** @returns undefined for a file that is no document */
export function formatOf(name: string): SpecFormat | undefined {
  const ending = extname(name).toLowerCase();
  return Object.hasOwn(formats, ending) ? formats[ending] : undefined;
}

function isDocument(name: string): boolean {
  return formatOf(name) !== undefined;
}

/** Names in the order in which a person numbers them; where that says nothing, by code units. */
const collator = new Intl.Collator('en', { numeric: true });
function inOrder(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right));
}

/** @throws SpecError `missing`, `unreadable`, for what a file system says */
async function access<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (SpecError.is(error)) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const missing = reason === 'ENOENT' || reason === 'ENOTDIR';
    throw new SpecError(missing ? 'missing' : 'unreadable', `${path}: ${reason}`, { path, reason }, error);
  }
}

class Reader {
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  #bytes = 0;
  #documents = 0;

  constructor(fileSystem: FileSystem, root: string) {
    this.#fileSystem = fileSystem;
    this.#root = root;
  }

  async read(path: string): Promise<Uint8Array> {
    const { size } = await access(path, async () => this.#fileSystem.stat(path));
    this.#count(path, size, size);
    const bytes = await access(path, async () => this.#fileSystem.readFile(path));
    this.#count(path, bytes.byteLength, Math.max(0, bytes.byteLength - size));
    return bytes;
  }

  /** Names of the documents at or below `folder`. Links to files are followed, links to folders not: they can be circles. */
  async list(folder: string): Promise<string[]> {
    const location = join(this.#root, folder);
    const entries = await access(location, async () => this.#fileSystem.readDirectory(location));
    const names = await Promise.all(
      entries.map(async (entry) => {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
        if (entry.isDirectory()) return this.list(name);
        if (!isDocument(entry.name) || !(await this.#isFile(name, entry))) return [];
        this.#countDocument();
        return [name];
      }),
    );
    return names.flat();
  }

  async #isFile(name: string, entry: Dirent): Promise<boolean> {
    if (!entry.isSymbolicLink()) return entry.isFile();
    const location = join(this.#root, name);
    return access(location, async () => (await this.#fileSystem.stat(location)).isFile());
  }

  #count(path: string, size: number, more: number): void {
    this.#bytes += more;
    if (size > mostBytesOfOne) throw tooLarge(path, mostBytesOfOne, 'bytes');
    if (this.#bytes > mostBytes) throw tooLarge(this.#root, mostBytes, 'bytes');
  }

  #countDocument(): void {
    this.#documents += 1;
    if (this.#documents > mostDocuments) throw tooLarge(this.#root, mostDocuments, 'documents');
  }
}

function tooLarge(path: string, limit: number, unit: 'bytes' | 'documents'): SpecError {
  return new SpecError('too-large', `${path} holds more than ${limit} ${unit}`, { path, limit, unit });
}

/**
 * Reads the file `path`, or all documents below the folder `path`.
 * @throws SpecError `missing`, `too-large`, `unreadable`, `wrong-kind`
 */
export async function readSpecFiles(path: string, fileSystem: FileSystem): Promise<SpecFiles> {
  const root = resolve(path);
  const reader = new Reader(fileSystem, root);
  const stat = await access(root, async () => fileSystem.stat(root));
  if (stat.isDirectory()) {
    const names = (await reader.list('')).toSorted(inOrder);
    const files: SpecFile[] = [];
    for (const name of names) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, so that too much is never read at once
      files.push({ name, bytes: await reader.read(join(root, name)) });
    }
    return { kind: 'folder', files };
  }
  if (!stat.isFile() || !isDocument(root)) {
    throw new SpecError('wrong-kind', `${root} is not .md, .txt, .html or a folder of them`, {
      path: root,
      works: '.md, .txt, .html, .htm, or a folder that holds such files',
    });
  }
  return { kind: 'file', files: [{ name: basename(root), bytes: await reader.read(root) }] };
}
