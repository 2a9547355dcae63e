import type { FileEntry } from '#protocol/change-sets.ts';
import type { ApprovalNeed } from '#protocol/landing-events.ts';
import type { RunState } from '#protocol/projection.ts';
import type { Repository, Snapshot } from '#vcs/repository.ts';
import { RunError } from './errors.ts';
import { changesPackageScripts, protectionOf } from './protected-paths.ts';
import type { Content } from './workspace-files.ts';

export interface LandingTargetState {
  readonly snapshot: Snapshot;
  readonly verified: boolean;
}

/** What trunk's first snapshot was imported from is what the user had. */
function importOf(repository: Repository): Snapshot {
  for (const record of repository.records(0)) {
    if (record.kind === 'commit' && record.sequence === 0) return repository.snapshot(record.commit);
  }
  throw new RunError('nothing-to-land', 'trunk has no import');
}

/** What trunk has for a workspace, and what it started from. */
export class LandingSides {
  readonly #repository: Repository;
  readonly #state: RunState;
  readonly #imported: Snapshot;

  constructor(repository: Repository, state: RunState) {
    this.#repository = repository;
    this.#state = state;
    this.#imported = importOf(repository);
  }

  /** Green, or trunk's head where there is no verify command. */
  get target(): LandingTargetState | undefined {
    const { green, options } = this.#state;
    // Evidence of a command that the run no longer has proves nothing about the one it has.
    const holds = options?.verify === undefined || green?.evidence.command === options.verify;
    if (green && holds) return { snapshot: this.#repository.snapshot(green.snapshot), verified: true };
    return options?.verify === undefined ? { snapshot: this.#repository.head(), verified: false } : undefined;
  }

  /** Where the snapshot differs from the import or from what was landed before; deletions first. */
  pathsOf(snapshot: Snapshot): readonly string[] {
    const { landedHashes } = this.#state;
    const paths = [...new Set([...snapshot.changedSince(this.#imported), ...landedHashes.keys()])].toSorted();
    // What goes makes room: a folder may become a file, and a file a folder.
    const going = paths.filter((path) => snapshot.entry(path) === undefined);
    return [...going, ...paths.filter((path) => snapshot.entry(path) !== undefined)];
  }

  async content(entry: FileEntry | undefined): Promise<Content> {
    return entry && { mode: entry.mode, bytes: await this.#repository.blob(entry) };
  }

  /** What the user had before the agents' change: what we landed last, else the import. */
  base(path: string): FileEntry | undefined {
    const hash = this.#state.landedHashes.get(path);
    // What we deleted is what the user has: nothing.
    if (hash === null) return undefined;
    const imported = this.#imported.entry(path);
    if (hash === undefined || hash === imported?.hash) return imported;
    return this.#lastLanded(path, hash) ?? imported;
  }

  /** By path, the path that its content was moved from, where the snapshot no longer has that one. */
  movesIn(snapshot: Snapshot): ReadonlyMap<string, string> {
    const moves = new Map<string, string>();
    for (const record of this.#repository.records(0)) {
      if (record.kind !== 'commit' || record.sequence > snapshot.sequence) continue;
      for (const { path, movedFrom } of record.changes) {
        if (movedFrom !== undefined) moves.set(path, moves.get(movedFrom) ?? movedFrom);
      }
    }
    return new Map([...moves].filter(([path, from]) => this.#isMove(snapshot, path, from)));
  }

  #isMove(snapshot: Snapshot, path: string, from: string): boolean {
    return (
      snapshot.entry(path) !== undefined &&
      this.#imported.entry(path) === undefined &&
      snapshot.entry(from) === undefined &&
      this.#imported.entry(from) !== undefined
    );
  }

  /** The entry that was landed under this hash: some snapshot on trunk had it. */
  #lastLanded(path: string, hash: string): FileEntry | undefined {
    for (const record of this.#repository.records(0).toReversed()) {
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

/** Why the user must approve this change by name; undefined when they need not. */
export function protection(path: string, current: Content, wanted: Content): ApprovalNeed | undefined {
  const approval = protectionOf(path);
  if (approval !== undefined) return { approval };
  if (changesPackageScripts(path, textOf(current), textOf(wanted))) return { approval: 'package-scripts' };
  if (wanted?.mode !== 'symlink') return undefined;
  const linksTo = textOf(wanted) ?? '';
  const isOutside = linksTo.startsWith('/') || linksTo.split('/').includes('..');
  return isOutside ? { approval: 'link-outside', linksTo } : undefined;
}
