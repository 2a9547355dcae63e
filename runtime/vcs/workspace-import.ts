import { join, resolve } from 'node:path';
import type { Dirent } from 'node:fs';
import type { FileSystem } from '#edges/file-system.ts';
import { isSecretFile } from '#protocol/secret-files.ts';
import type { FileMode } from '#protocol/change-sets.ts';
import { VcsError } from './errors.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { comparePaths, pathProblem } from './paths.ts';
import type { LeftOut } from './record-codec.ts';

/** One file that trunk starts with. */
export interface SourceFile {
  readonly path: string;
  readonly mode: FileMode;
  readonly content: Uint8Array;
}

/** What trunk starts with. `files` is read once, in any order; what cannot be taken goes to `leaveOut`. */
export interface TrunkSource {
  files(leaveOut: (file: LeftOut) => void): AsyncIterable<SourceFile>;
}

export interface WorkspaceOptions {
  readonly fileSystem: FileSystem;
  /** Absolute. */
  readonly folder: string;
  /** Absolute folders inside it that are no part of it: the store. */
  readonly exclude?: readonly string[];
  /** Bytes; larger files are left out. Default 16 MiB. */
  readonly largestFile?: number;
}

/** A file or link that was found and is still to be read. */
interface Candidate {
  readonly path: string;
  readonly isLink: boolean;
}

/** What Node puts where a name's bytes are not UTF-8: nothing can be read or written under such a name. */
const replacement = '\u{fffd}';

/** Files read at the same time: enough to keep a disk busy, few enough to hold in memory. */
const readsAtOnce = 32;

/**
 * Trunk starts with the files of a workspace: without what its ignore rules leave out (the workspace itself never counts
 * as ignored, whatever rules lie above it), and without `.git`. Nested repositories, worktrees and submodules are opaque.
 */
export function workspaceSource(options: WorkspaceOptions): TrunkSource {
  return { files: (leaveOut) => new WorkspaceReader(options, leaveOut).files() };
}

class WorkspaceReader {
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  readonly #excluded: ReadonlySet<string>;
  readonly #largestFile: number;
  readonly #leaveOut: (file: LeftOut) => void;

  constructor(options: WorkspaceOptions, leaveOut: (file: LeftOut) => void) {
    this.#fileSystem = options.fileSystem;
    this.#root = options.folder;
    this.#excluded = new Set((options.exclude ?? []).map((folder) => resolve(folder)));
    this.#largestFile = options.largestFile ?? 16 * 1024 * 1024;
    this.#leaveOut = leaveOut;
  }

  async *files(): AsyncGenerator<SourceFile> {
    for await (const candidates of this.#folders()) {
      for (let at = 0; at < candidates.length; at += readsAtOnce) {
        const batch = candidates.slice(at, at + readsAtOnce);
        // oxlint-disable-next-line no-await-in-loop -- a batch at a time bounds memory
        const files = await Promise.all(batch.map(async (candidate) => this.#read(candidate)));
        for (const file of files) if (file !== undefined) yield file;
      }
    }
  }

  /** The candidates of the workspace, in groups of whole folders that are worth reading together. */
  async *#folders(): AsyncGenerator<readonly Candidate[]> {
    let pending: readonly { readonly folder: string; readonly rules: IgnoreRules }[] = [
      { folder: '', rules: await this.#rootRules() },
    ];
    while (pending.length > 0) {
      const now = pending.slice(0, readsAtOnce);
      // oxlint-disable-next-line no-await-in-loop -- the next folders are known once these are listed
      const listed = await Promise.all(now.map(async ({ folder, rules }) => this.#list(folder, rules)));
      yield listed.flatMap(({ files }) => files);
      pending = [...listed.flatMap(({ folders }) => folders), ...pending.slice(now.length)];
    }
  }

  async #rootRules(): Promise<IgnoreRules> {
    const rules = new IgnoreRules();
    const text = await this.#ignoreFile(join(this.#root, '.git', 'info', 'exclude'));
    return text === undefined ? rules : rules.with('', text);
  }

  /** An ignore file's text; git does not follow a link there, and neither do we. */
  async #ignoreFile(path: string): Promise<string | undefined> {
    try {
      if (!(await this.#fileSystem.lstat(path)).isFile()) return undefined;
      return new TextDecoder().decode(await this.#fileSystem.readFile(path));
    } catch {
      return undefined;
    }
  }

  async #list(
    folder: string,
    inherited: IgnoreRules,
  ): Promise<{ files: readonly Candidate[]; folders: readonly { folder: string; rules: IgnoreRules }[] }> {
    const nothing = { files: [], folders: [] };
    const absolute = join(this.#root, folder);
    let entries: readonly Dirent[];
    try {
      entries = await this.#fileSystem.readDirectory(absolute);
    } catch (error) {
      if (folder === '')
        throw new VcsError('io', 'the workspace cannot be read', { folder: absolute }, error);
      this.#leaveOut({ path: folder, reason: `cannot be read (${codeOf(error)})` });
      return nothing;
    }
    if (folder !== '' && entries.some(({ name }) => name === '.git')) {
      this.#leaveOut({ path: folder, reason: 'a repository of its own' });
      return nothing;
    }
    const ignoreFile = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? await this.#ignoreFile(join(absolute, '.gitignore'))
      : undefined;
    const rules = ignoreFile === undefined ? inherited : inherited.with(folder, ignoreFile);
    const files: Candidate[] = [];
    const folders: { folder: string; rules: IgnoreRules }[] = [];
    for (const entry of entries.toSorted((left, right) => comparePaths(left.name, right.name))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!this.#isWanted(path, entry, rules)) continue;
      if (entry.isDirectory()) folders.push({ folder: path, rules });
      else files.push({ path, isLink: entry.isSymbolicLink() });
    }
    return { files, folders };
  }

  #isWanted(path: string, entry: Dirent, rules: IgnoreRules): boolean {
    if (path === '.git') return false;
    if (entry.isDirectory() && this.#excluded.has(join(this.#root, path))) return false;
    if (rules.leavesOut(path, entry.isDirectory())) return false;
    const problem = pathProblem(path);
    const isSpecial = !entry.isDirectory() && !entry.isFile() && !entry.isSymbolicLink();
    const isSecret = !entry.isDirectory() && isSecretFile(path);
    const reason =
      (entry.name.includes(replacement) ? 'its name is not valid UTF-8' : problem?.details) ??
      (isSpecial
        ? 'not a regular file'
        : isSecret
          ? 'holds secrets: what is in trunk, agents read'
          : undefined);
    if (reason !== undefined) this.#leaveOut({ path, reason });
    return reason === undefined;
  }

  async #read({ path, isLink }: Candidate): Promise<SourceFile | undefined> {
    const absolute = join(this.#root, path);
    try {
      if (isLink) {
        const target = await this.#fileSystem.readLink(absolute);
        if (target.includes(replacement)) {
          this.#leaveOut({ path, reason: 'its target is not valid UTF-8' });
          return undefined;
        }
        return { path, mode: 'symlink', content: new TextEncoder().encode(target) };
      }
      const { size, mode } = await this.#fileSystem.lstat(absolute);
      if (size > this.#largestFile) {
        this.#leaveOut({ path, reason: `larger than ${this.#largestFile} bytes` });
        return undefined;
      }
      const content = await this.#fileSystem.readFile(absolute);
      return { path, mode: (mode & 0o100) === 0 ? 'file' : 'executable', content };
    } catch (error) {
      this.#leaveOut({ path, reason: `cannot be read (${codeOf(error)})` });
      return undefined;
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
