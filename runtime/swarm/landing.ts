import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import type { FileEntry, FileMode } from '#protocol/change-sets.ts';
import type { LandedFile } from '#protocol/events.ts';
import type { LandRequest } from '#protocol/requests.ts';
import { defaultFieldGuide } from '#vcs/gates.ts';
import { mergeFile } from '#vcs/merge-file.ts';
import type { Repository, Snapshot } from '#vcs/repository.ts';
import { designFolder } from './decision-register.ts';
import { RunError } from './errors.ts';
import type { EventLog } from './event-log.ts';
import { changesPackageScripts, protectionOf } from './protected-paths.ts';

export interface LandingParts {
  readonly workspace: string;
  readonly fileSystem: FileSystem;
  readonly repository: Repository;
  readonly log: EventLog;
}

/** A file with its bytes; undefined where there is none. */
type Content = { readonly mode: FileMode; readonly bytes: Uint8Array } | undefined;

type Landed = { readonly file: LandedFile; readonly hash?: string };

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function isSame(left: Content, right: Content): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.mode === right.mode && Buffer.compare(left.bytes, right.bytes) === 0;
}

/** What trunk's first snapshot was imported from is what the user had. */
function importOf(repository: Repository): Snapshot {
  for (const record of repository.records(0)) {
    if (record.kind === 'commit' && record.sequence === 0) return repository.snapshot(record.commit);
  }
  throw new RunError('nothing-to-land', 'trunk has no import');
}

/**
 * Brings a snapshot into the user's workspace: file by file, three-way against what is there, never over the user's
 * edits. Each file is journalled once it has landed, and landing again changes nothing more.
 */
export class Landing {
  readonly #parts: LandingParts;
  readonly #imported: Snapshot;

  constructor(parts: LandingParts) {
    this.#parts = parts;
    this.#imported = importOf(parts.repository);
  }

  /** Green, or trunk's head where there is no verify command. */
  get target(): { readonly snapshot: Snapshot; readonly verified: boolean } | undefined {
    const { repository, log } = this.#parts;
    const { green, options } = log.projection;
    if (green) return { snapshot: repository.snapshot(green.snapshot), verified: true };
    return options?.verify === undefined ? { snapshot: repository.head(), verified: false } : undefined;
  }

  /** @throws RunError `nothing-to-land`, file system errors (what has landed stays, and is journalled) */
  async land(
    request: LandRequest,
  ): Promise<{ readonly verified: boolean; readonly files: readonly LandedFile[] }> {
    const { log } = this.#parts;
    const { target } = this;
    if (target === undefined) throw new RunError('nothing-to-land', 'no state of trunk has been verified');
    const { snapshot, verified } = target;
    const paths = this.#pathsOf(snapshot).filter((path) => request.notes !== false || !isNote(path));
    const { id } = snapshot;
    await log.publish({ type: 'landing.started', snapshot: id, verified, paths: paths.length });
    const files: LandedFile[] = [];
    for (const path of paths) {
      const landed = await this.#landPath(snapshot, path, request);
      files.push(landed.file);
      await log.publish({ type: 'landing.file', snapshot: id, ...landed });
    }
    const waiting = files.filter((file) => file.result === 'waits').length;
    await log.publish({ type: 'landing.ended', snapshot: id, landed: files.length - waiting, waiting });
    return { verified, files };
  }

  /** Where the snapshot differs from the import or from what was landed before. */
  #pathsOf(snapshot: Snapshot): readonly string[] {
    const { landedHashes } = this.#parts.log.projection;
    return [...new Set([...snapshot.changedSince(this.#imported), ...landedHashes.keys()])].toSorted();
  }

  async #landPath(snapshot: Snapshot, path: string, request: LandRequest): Promise<Landed> {
    const entry = snapshot.entry(path);
    const wanted = await this.#content(entry);
    const blocked = await this.#blockedWay(path);
    if (blocked !== undefined) return waits(path, blocked);
    // Of a landing that was killed here.
    await this.#parts.fileSystem.remove(this.#draftOf(path));
    const current = await this.#read(path);
    if (current === 'special') return waits(path, 'something that is no file is in its place');
    if (isSame(current, wanted)) return done(path, 'already-there', entry);
    if (wanted && !request.approve.includes(path)) {
      const reason = protection(path, current, wanted);
      if (reason !== undefined) return waits(path, `${reason}; it needs your approval`);
    }
    const base = await this.#base(path);
    if (isSame(current, base)) {
      await this.#put(path, wanted);
      return done(path, wanted === undefined ? 'deleted' : 'written', entry);
    }
    return this.#merge(path, entry, { base, current, wanted });
  }

  async #merge(
    path: string,
    entry: FileEntry | undefined,
    {
      base,
      current,
      wanted,
    }: { readonly base: Content; readonly current: Content; readonly wanted: Content },
  ): Promise<Landed> {
    if (wanted === undefined) return waits(path, 'the build deletes it, and you have changed it');
    if (current === undefined) return waits(path, 'you have deleted it, and the build changes it');
    if (current.mode === 'symlink' || wanted.mode === 'symlink') {
      return waits(path, 'you and the build have changed a symbolic link');
    }
    const merged = mergeFile(base?.bytes ?? new Uint8Array(), current.bytes, wanted.bytes);
    if (merged.kind !== 'clean') return waits(path, 'you have changed the same lines');
    const result = { mode: current.mode, bytes: merged.content };
    if (isSame(current, result)) return done(path, 'already-there', entry);
    await this.#put(path, result);
    return done(path, 'merged', entry);
  }

  async #content(entry: FileEntry | undefined): Promise<Content> {
    return entry && { mode: entry.mode, bytes: await this.#parts.repository.blob(entry) };
  }

  /** What the user had before the agents' change: what we landed last, else the import. */
  async #base(path: string): Promise<Content> {
    const hash = this.#parts.log.projection.landedHashes.get(path);
    const imported = this.#imported.entry(path);
    if (hash === undefined || hash === imported?.hash) return this.#content(imported);
    const known = this.#lastLanded(path, hash);
    return this.#content(known ?? imported);
  }

  /** The entry that was landed under this hash: some snapshot on trunk had it. */
  #lastLanded(path: string, hash: string): FileEntry | undefined {
    for (const record of this.#parts.repository.records(0).toReversed()) {
      if (record.kind !== 'commit') continue;
      const change = record.changes.find((one) => one.path === path);
      if (change?.entry?.hash === hash) return change.entry;
    }
    return undefined;
  }

  /** Why the path cannot be written, if a part of its way is not a plain folder of the workspace. */
  async #blockedWay(path: string): Promise<string | undefined> {
    const { fileSystem, workspace } = this.#parts;
    const parts = path.split('/').slice(0, -1);
    for (let index = 1; index <= parts.length; index += 1) {
      const folder = parts.slice(0, index).join('/');
      try {
        const stats = await fileSystem.lstat(join(workspace, folder));
        if (stats.isSymbolicLink()) return `the folder ${folder} is a symbolic link`;
        if (!stats.isDirectory()) return `${folder} is a file, not a folder`;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    }
    return undefined;
  }

  async #read(path: string): Promise<Content | 'special'> {
    const { fileSystem, workspace } = this.#parts;
    const file = join(workspace, path);
    try {
      const stats = await fileSystem.lstat(file);
      if (stats.isSymbolicLink()) {
        return { mode: 'symlink', bytes: new TextEncoder().encode(await fileSystem.readLink(file)) };
      }
      if (!stats.isFile()) return 'special';
      const mode: FileMode = (stats.mode & 0o100) === 0 ? 'file' : 'executable';
      return { mode, bytes: await fileSystem.readFile(file) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Beside the path. The same in each landing of the run, so that what a kill has left there is taken away. */
  #draftOf(path: string): string {
    const { workspace, log } = this.#parts;
    const name = createHash('sha256')
      .update(`${log.projection.options?.run ?? ''} ${path}`)
      .digest('hex');
    return join(workspace, dirname(path), `.swarmwright-${name.slice(0, 12)}`);
  }

  /** Writes beside and renames, so that a kill leaves the old file or the new one. */
  async #put(path: string, content: Content): Promise<void> {
    const { fileSystem, workspace } = this.#parts;
    const file = join(workspace, path);
    if (content === undefined) {
      await fileSystem.remove(file);
      return;
    }
    await fileSystem.makeDirectory(dirname(file));
    const beside = this.#draftOf(path);
    try {
      if (content.mode === 'symlink') {
        await fileSystem.symlink(new TextDecoder().decode(content.bytes), beside);
      } else {
        await fileSystem.writeFile(beside, content.bytes, content.mode === 'executable' ? 0o755 : 0o644);
      }
      await fileSystem.rename(beside, file);
    } catch (error) {
      await fileSystem.remove(beside);
      throw error;
    }
  }
}

function protection(path: string, current: Content, wanted: NonNullable<Content>): string | undefined {
  const what = protectionOf(path);
  if (what !== undefined) return what;
  const decode = (content: Content): string | undefined => content && new TextDecoder().decode(content.bytes);
  if (changesPackageScripts(path, decode(current), decode(wanted))) return 'its package scripts change';
  if (wanted.mode !== 'symlink') return undefined;
  const target = decode(wanted) ?? '';
  return target.startsWith('/') || target.split('/').includes('..') ? `it links to ${target}` : undefined;
}

/** What agents write for agents: it stays useful on trunk, and is the user's choice in a workspace. */
function isNote(path: string): boolean {
  return [designFolder, defaultFieldGuide.folder].some((folder) => path.startsWith(`${folder}/`));
}

function waits(path: string, reason: string): Landed {
  return { file: { path, result: 'waits', reason } };
}

/** `entry` is trunk's side: what the next landing of the path is compared with. */
function done(
  path: string,
  result: 'already-there' | 'deleted' | 'merged' | 'written',
  entry: FileEntry | undefined,
): Landed {
  return entry === undefined ? { file: { path, result } } : { file: { path, result }, hash: entry.hash };
}
