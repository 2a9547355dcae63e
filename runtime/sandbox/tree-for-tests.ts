import { hash } from 'node:crypto';
import type { FileEntry, FileMode } from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';

interface TreeFile {
  readonly content: Uint8Array;
  readonly mode: FileMode;
}

/** A tree held in memory, for tests. A file is its text, or its bytes and mode. */
export class MemoryTree implements FileTree {
  readonly #files: ReadonlyMap<string, TreeFile>;
  /** How often content was read. */
  reads = 0;

  constructor(files: Readonly<Record<string, string | { content: string | Uint8Array; mode: FileMode }>>) {
    this.#files = new Map(
      Object.entries(files).map(([path, file]) => {
        const { content, mode } = typeof file === 'string' ? { content: file, mode: 'file' as const } : file;
        return [path, { content: typeof content === 'string' ? Buffer.from(content) : content, mode }];
      }),
    );
  }

  entry(path: string): FileEntry | undefined {
    const file = this.#files.get(path);
    if (file === undefined) return undefined;
    return {
      hash: hash('sha256', file.content, 'hex'),
      mode: file.mode,
      size: file.content.byteLength,
    };
  }

  async read(path: string): Promise<Uint8Array> {
    this.reads += 1;
    const file = this.#files.get(path);
    if (file === undefined) throw new Error(`no such file: ${path}`);
    return file.content;
  }

  *walk(folder = ''): Iterable<readonly [path: string, entry: FileEntry]> {
    for (const path of [...this.#files.keys()].toSorted()) {
      const entry = this.entry(path);
      if (entry !== undefined && (folder === '' || path.startsWith(`${folder}/`))) yield [path, entry];
    }
  }
}
