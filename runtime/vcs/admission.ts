import type { Rejection, RejectionCode, SubmitIntent } from '#protocol/change-sets.ts';
import { isInScope } from '#protocol/scopes.ts';
import type { Contents } from './contents.ts';
import { blockedPaths, type HashedChange } from './merge-changes.ts';
import { hunksOf } from './merge-file.ts';
import { pathProblem } from './paths.ts';
import { entryAt, type Folder } from './tree.ts';

/** What a submit may bring at most, so that one record of the log stays readable in one piece. */
const largestSet = { changes: 10_000, bytes: 48 * 1024 * 1024 };
const largestBreakage = { files: 3, lines: 200 };

export interface AdmissionInput {
  readonly intent: SubmitIntent;
  readonly scope: readonly string[];
  /** Open to every task. */
  readonly fieldGuideFolder: string;
  /** Paths of the parked set that a resolution settles: they were admitted when it was parked. */
  readonly parkedPaths: ReadonlySet<string>;
  readonly base: Folder;
  /** As submitted. */
  readonly changes: readonly HashedChange[];
  readonly contents: Contents;
}

function reject(code: RejectionCode, paths: readonly string[], details: string): Rejection {
  return { code, paths, details };
}

/** The checks that need no merge: paths, scope, size. The first that objects decides. */
export function admit(input: AdmissionInput): Rejection | undefined {
  return checkPaths(input) ?? checkScope(input) ?? checkSize(input) ?? checkBreakage(input);
}

function checkPaths({ changes, base }: AdmissionInput): Rejection | undefined {
  for (const [index, { path }] of changes.entries()) {
    const problem = pathProblem(path);
    if (problem !== undefined) return reject(problem.code, [path], problem.details);
    if (index > 0 && (changes[index - 1]?.path ?? '') >= path) {
      return reject('bad-path', [path], 'a change set is sorted by path and names each once');
    }
  }
  const blocked = blockedPaths(base, changes);
  if (blocked.length === 0) return undefined;
  return reject('bad-path', blocked, 'a path would be a file and a folder at once');
}

function checkScope(input: AdmissionInput): Rejection | undefined {
  const { intent, scope, fieldGuideFolder, parkedPaths, changes } = input;
  if (intent.kind === 'harness' || intent.kind === 'breakage') return undefined;
  const open = [...scope, `${fieldGuideFolder}/**`];
  const outside = changes
    .map(({ path }) => path)
    .filter((path) => !parkedPaths.has(path) && !isInScope(open, path));
  if (outside.length === 0) return undefined;
  const named = outside.slice(0, 5).join(', ') + (outside.length > 5 ? ', …' : '');
  return reject('out-of-scope', outside, `outside the task's scope (${scope.join(', ')}): ${named}`);
}

function checkSize({ changes }: AdmissionInput): Rejection | undefined {
  const bytes = changes.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  if (changes.length <= largestSet.changes && bytes <= largestSet.bytes) return undefined;
  const limit = `${largestSet.changes} paths and ${largestSet.bytes} bytes`;
  return reject('too-large', [], `a change set may have ${limit}: submit it in parts`);
}

/** A breakage is licensed because it is small and says why. */
function checkBreakage(input: AdmissionInput): Rejection | undefined {
  const { intent, changes } = input;
  if (intent.kind !== 'breakage') return undefined;
  const paths = changes.map(({ path }) => path);
  if (intent.reason.trim() === '') return reject('out-of-scope', paths, 'a breakage needs a reason');
  if (changes.length > largestBreakage.files) {
    return reject('too-large', paths, `a breakage may change ${largestBreakage.files} files`);
  }
  const lines = changes.reduce((sum, change) => sum + changedLines(input, change), 0);
  if (lines <= largestBreakage.lines) return undefined;
  return reject('too-large', paths, `a breakage may change ${largestBreakage.lines} lines`);
}

/** Lines removed plus lines added. Binary files and files beyond comparing count as too many. */
function changedLines({ base, contents }: AdmissionInput, change: HashedChange): number {
  const nothing = new Uint8Array(0);
  const before = entryAt(base, change.path) ?? (change.movedFrom && entryAt(base, change.movedFrom));
  const hunks = hunksOf(before ? contents(before.hash) : nothing, change.content ?? nothing);
  if (hunks === undefined) return Infinity;
  return hunks.reduce((sum, { removed, inserted }) => sum + removed.length + inserted.length, 0);
}
