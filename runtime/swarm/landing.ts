import type { FileSystem } from '#edges/file-system.ts';
import type { FileEntry } from '#protocol/change-sets.ts';
import type { LandedFile, LandingReport } from '#protocol/events.ts';
import type { ApprovalNeed } from '#protocol/landing-events.ts';
import type { LandRequest } from '#protocol/requests.ts';
import { defaultFieldGuide } from '#protocol/field-guide.ts';
import type { Repository, Snapshot } from '#vcs/repository.ts';
import { designFolder } from './decision-register.ts';
import { RunError } from './errors.ts';
import type { EventLog } from './event-log.ts';
import { mergeSides, type MergeObstacle } from './landing-merge.ts';
import { LandingSides, protection, type LandingTargetState } from './landing-sides.ts';
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

/** For the terminal. */
const conflictTexts: Readonly<Record<MergeObstacle, string>> = {
  'same-lines': 'you have changed the same lines',
  binary: 'you have changed the same lines',
  'too-costly': 'you have changed the same lines',
  link: 'you and the build have changed a symbolic link',
  'deleted-by-build': 'the build deletes it, and you have changed it',
  'deleted-by-user': 'you have deleted it, and the build changes it',
};

type Landed = { readonly file: LandedFile; readonly hash?: string };

/**
 * Brings a snapshot into the user's workspace: file by file, three-way against what is there, never over the user's
 * edits. Each file is journalled once it has landed, and landing again changes nothing more.
 */
export class Landing {
  readonly #parts: LandingParts;
  readonly #files: WorkspaceFiles;
  readonly #sides: LandingSides;

  constructor(parts: LandingParts) {
    this.#parts = parts;
    const { fileSystem, workspace, log, replaced } = parts;
    this.#files = new WorkspaceFiles(fileSystem, workspace, log.projection.options?.run ?? '', replaced);
    this.#sides = new LandingSides(parts.repository, log.projection);
  }

  /** Green, or trunk's head where there is no verify command. */
  get target(): LandingTargetState | undefined {
    return this.#sides.target;
  }

  /** @throws RunError `nothing-to-land`, file system errors (what has landed stays, and is journalled) */
  async land(request: LandRequest): Promise<LandingReport> {
    const { log } = this.#parts;
    const { target } = this;
    if (target === undefined) throw new RunError('nothing-to-land', 'no state of trunk has been verified');
    const { snapshot, verified } = target;
    const paths = this.#sides.pathsOf(snapshot).filter((path) => request.notes !== false || !isNote(path));
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
    const wanted = await this.#sides.content(entry);
    const found = await this.#files.find(path);
    if (found.kind === 'special') return waits(path, 'something that is no file is in its place');
    const current = found.kind === 'file' ? found.content : undefined;
    if (isSameContent(current, wanted)) return done(path, 'already-there', entry);
    const isTaken = request.take?.includes(path) === true;
    const { discarded } = this.#parts.log.projection.review;
    if (!isTaken && discarded.get(path) === (entry?.hash ?? null)) {
      return waits(path, 'you have discarded it in the editor');
    }
    if (!isTaken && !request.approve.includes(path)) {
      const need = protection(path, current, wanted);
      if (need !== undefined) return waits(path, 'it needs your approval', need);
    }
    if (found.kind === 'file' && current?.mode !== 'symlink' && (found.permissions & 0o200) === 0) {
      return waits(path, 'the file is read-only');
    }
    const base = await this.#sides.content(this.#sides.base(path));
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
    const merged = mergeSides(base, current, wanted);
    if (merged.kind === 'conflict') return waits(path, conflictTexts[merged.obstacle]);
    const result = merged.content;
    if (isSameContent(current, result)) return done(path, 'kept', entry);
    return (await this.#files.put(path, found, result)) ? done(path, 'merged', entry) : undefined;
  }
}

/** What agents write for agents: it stays useful on trunk, and is the user's choice in a workspace. */
function isNote(path: string): boolean {
  return [designFolder, defaultFieldGuide.folder].some((folder) => path.startsWith(`${folder}/`));
}

function waits(path: string, reason: string, need?: ApprovalNeed): Landed {
  return { file: { path, result: 'waits', reason, ...need } };
}

/** `entry` is trunk's side: what the next landing of the path is compared with. */
function done(
  path: string,
  result: 'already-there' | 'deleted' | 'kept' | 'merged' | 'written',
  entry: FileEntry | undefined,
): Landed {
  return entry === undefined ? { file: { path, result } } : { file: { path, result }, hash: entry.hash };
}
