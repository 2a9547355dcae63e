import type { FileSystem } from '#edges/file-system.ts';
import type { FileEntry } from '#protocol/change-sets.ts';
import type { LandedFile, LandingReport } from '#protocol/events.ts';
import type { LandRequest } from '#protocol/requests.ts';
import { defaultFieldGuide } from '#protocol/field-guide.ts';
import { mergeFile } from '#vcs/merge-file.ts';
import type { Repository, Snapshot } from '#vcs/repository.ts';
import { designFolder } from './decision-register.ts';
import { RunError } from './errors.ts';
import type { EventLog } from './event-log.ts';
import { changesPackageScripts, protectionOf } from './protected-paths.ts';
import { isSameContent, WorkspaceFiles, type Content, type Found } from './workspace-files.ts';

export interface LandingParts {
  readonly workspace: string;
  readonly fileSystem: FileSystem;
  readonly repository: Repository;
  readonly log: EventLog;
  /** Where the files that a landing replaces are kept; absolute, outside the workspace. */
  readonly replaced: string;
}

/** Of the store: the user's files that landings have replaced. */
export const replacedFolder = 'replaced';

/** How often a file that changes under the landing is looked at again. */
const landingAttempts = 3;

interface Sides {
  readonly base: Content;
  readonly found: Found;
  readonly current: Content;
  readonly wanted: Content;
}

type Landed = { readonly file: LandedFile; readonly hash?: string };

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
  readonly #files: WorkspaceFiles;
  readonly #imported: Snapshot;

  constructor(parts: LandingParts) {
    this.#parts = parts;
    const { fileSystem, workspace, log, replaced } = parts;
    this.#files = new WorkspaceFiles(fileSystem, workspace, log.projection.options?.run ?? '', replaced);
    this.#imported = importOf(parts.repository);
  }

  /** Green, or trunk's head where there is no verify command. */
  get target(): { readonly snapshot: Snapshot; readonly verified: boolean } | undefined {
    const { repository, log } = this.#parts;
    const { green, options } = log.projection;
    // Evidence of a command that the run no longer has proves nothing about the one it has.
    const holds = options?.verify === undefined || green?.evidence.command === options.verify;
    if (green && holds) return { snapshot: repository.snapshot(green.snapshot), verified: true };
    return options?.verify === undefined ? { snapshot: repository.head(), verified: false } : undefined;
  }

  /** @throws RunError `nothing-to-land`, file system errors (what has landed stays, and is journalled) */
  async land(request: LandRequest): Promise<LandingReport> {
    const { log } = this.#parts;
    const { target } = this;
    if (target === undefined) throw new RunError('nothing-to-land', 'no state of trunk has been verified');
    const { snapshot, verified } = target;
    const paths = this.#pathsOf(snapshot).filter((path) => request.notes !== false || !isNote(path));
    const unknown = [...request.approve, ...(request.take ?? [])].find((path) => !paths.includes(path));
    if (unknown !== undefined) {
      throw new RunError('unknown-path', `${unknown} is none of the paths that land`, { path: unknown });
    }
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
    return {
      verified,
      files: files.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
      ...this.#files.kept,
    };
  }

  /** Where the snapshot differs from the import or from what was landed before; deletions first. */
  #pathsOf(snapshot: Snapshot): readonly string[] {
    const { landedHashes } = this.#parts.log.projection;
    const paths = [...new Set([...snapshot.changedSince(this.#imported), ...landedHashes.keys()])].toSorted();
    // What goes makes room: a folder may become a file, and a file a folder.
    const going = paths.filter((path) => snapshot.entry(path) === undefined);
    return [...going, ...paths.filter((path) => snapshot.entry(path) !== undefined)];
  }

  async #landPath(snapshot: Snapshot, path: string, request: LandRequest): Promise<Landed> {
    const blocked = await this.#files.blockedWay(path);
    if (blocked !== undefined) return waits(path, blocked);
    await this.#files.removeDraft(path);
    for (let attempt = 1; attempt <= landingAttempts; attempt += 1) {
      const landed = await this.#tryPath(snapshot, path, request);
      if (landed !== undefined) return landed;
    }
    return waits(path, 'it keeps changing');
  }

  /** Undefined when the user's file changed while it was looked at: then nothing was done. */
  async #tryPath(snapshot: Snapshot, path: string, request: LandRequest): Promise<Landed | undefined> {
    const entry = snapshot.entry(path);
    const wanted = await this.#content(entry);
    const found = await this.#files.find(path);
    if (found.kind === 'special') return waits(path, 'something that is no file is in its place');
    const current = found.kind === 'file' ? found.content : undefined;
    if (isSameContent(current, wanted)) return done(path, 'already-there', entry);
    const isTaken = request.take?.includes(path) === true;
    if (!isTaken && !request.approve.includes(path)) {
      const reason = protection(path, current, wanted);
      if (reason !== undefined) return waits(path, `${reason}; it needs your approval`);
    }
    if (found.kind === 'file' && current?.mode !== 'symlink' && (found.permissions & 0o200) === 0) {
      return waits(path, 'the file is read-only');
    }
    const base = await this.#base(path);
    if (isTaken || isSameContent(current, base)) {
      const put = await this.#files.put(path, found, wanted);
      return put ? done(path, wanted === undefined ? 'deleted' : 'written', entry) : undefined;
    }
    return this.#merge(path, entry, { base, found, current, wanted });
  }

  async #merge(
    path: string,
    entry: FileEntry | undefined,
    { base, found, current, wanted }: Sides,
  ): Promise<Landed | undefined> {
    if (wanted === undefined) return waits(path, 'the build deletes it, and you have changed it');
    if (current === undefined) return waits(path, 'you have deleted it, and the build changes it');
    if (current.mode === 'symlink' || wanted.mode === 'symlink') {
      return waits(path, 'you and the build have changed a symbolic link');
    }
    const merged = mergeFile(base?.bytes ?? new Uint8Array(), current.bytes, wanted.bytes);
    if (merged.kind !== 'clean') return waits(path, 'you have changed the same lines');
    // A mode that the build changed is its change; else the user's stays.
    const result = { mode: wanted.mode === base?.mode ? current.mode : wanted.mode, bytes: merged.content };
    if (isSameContent(current, result)) return done(path, 'already-there', entry);
    return (await this.#files.put(path, found, result)) ? done(path, 'merged', entry) : undefined;
  }

  async #content(entry: FileEntry | undefined): Promise<Content> {
    return entry && { mode: entry.mode, bytes: await this.#parts.repository.blob(entry) };
  }

  /** What the user had before the agents' change: what we landed last, else the import. */
  async #base(path: string): Promise<Content> {
    const hash = this.#parts.log.projection.landedHashes.get(path);
    // What we deleted is what the user has: nothing.
    if (hash === null) return undefined;
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
}

function textOf(content: Content): string | undefined {
  return content && new TextDecoder().decode(content.bytes);
}

function protection(path: string, current: Content, wanted: Content): string | undefined {
  const what = protectionOf(path);
  if (what !== undefined) return what;
  if (changesPackageScripts(path, textOf(current), textOf(wanted))) return 'its package scripts change';
  if (wanted?.mode !== 'symlink') return undefined;
  const target = textOf(wanted) ?? '';
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
