import type { Change, FileEntry, FileMode } from '#protocol/change-sets.ts';
import type { Contents } from './contents.ts';
import { VcsError } from './errors.ts';
import { mergeChanges, plainChange, withOrigin, type HashedChange } from './merge-changes.ts';
import { comparePaths } from './paths.ts';
import { entryAt, type Folder } from './tree.ts';

/** What a conflicted path is to be. */
export type ConflictAnswer =
  | { readonly kind: 'write'; readonly content: Uint8Array }
  | { readonly kind: 'delete' };

interface ResolutionInput {
  /** What the set was made against. */
  readonly base: Folder;
  /** What it conflicted with. */
  readonly trunk: Folder;
  readonly changes: readonly HashedChange[];
  /** Paths that were recorded as conflicted. */
  readonly conflicted: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, ConflictAnswer>;
}

/**
 * The changes of a parked set against the trunk that it conflicted with: the answers, and the rest merged as trunk merges
 * it. Sorted by path. @throws VcsError `bad-path` when a conflicted path has no answer, or another path has one
 */
export function resolveSet(input: ResolutionInput, contents: Contents): readonly Change[] {
  const { base, trunk, changes, conflicted, answers } = input;
  const merge = mergeChanges(base, trunk, changes, contents);
  const open = new Set([...conflicted, ...merge.conflicts.map(({ path }) => path)]);
  for (const path of open) {
    if (!answers.has(path)) throw new VcsError('bad-path', 'the conflict has no answer', { path });
  }
  for (const path of answers.keys()) {
    if (!open.has(path)) throw new VcsError('bad-path', 'there is no such conflict', { path });
  }
  const clean = merge.changes.filter(({ path }) => !open.has(path)).map(plainChange);
  const ours = new Map(changes.map((change) => [change.path, change]));
  const settled = [...answers].map(([path, answer]): Change => {
    if (answer.kind === 'delete') return { kind: 'delete', path };
    const change = ours.get(path);
    const mode = modeOf(entryAt(base, path), entryAt(trunk, path), change?.entry);
    return withOrigin({ kind: 'write', path, mode, content: answer.content }, change?.movedFrom);
  });
  return [...clean, ...settled]
    .map((change) => withoutKeptOrigin(change, answers))
    .toSorted((left, right) => comparePaths(left.path, right.path));
}

/** What was moved from a place that an answer keeps was copied. */
function withoutKeptOrigin(change: Change, answers: ReadonlyMap<string, ConflictAnswer>): Change {
  if (change.kind === 'delete' || change.movedFrom === undefined) return change;
  const { movedFrom, ...rest } = change;
  return answers.get(movedFrom)?.kind === 'write' ? rest : change;
}

/** The mode that was changed on purpose, by whichever side; a new file's is `file` unless someone wants another. */
function modeOf(
  base: FileEntry | undefined,
  trunk: FileEntry | undefined,
  ours: FileEntry | undefined,
): FileMode {
  if (ours && ours.mode !== (base?.mode ?? 'file')) return ours.mode;
  return trunk?.mode ?? ours?.mode ?? 'file';
}
