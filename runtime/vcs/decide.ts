import type { Conflict, ParkedId, Rejection, RejectionCode, SubmitRequest } from '#protocol/change-sets.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { admit } from './admission.ts';
import type { Contents } from './contents.ts';
import type { Gate } from './gates.ts';
import type { LogState, ParkedState } from './log-state.ts';
import { mergeChanges, type HashedChange, type MergedChange } from './merge-changes.ts';
import { entryAt, sameEntry } from './tree.ts';

/** What becomes of a submit; the log writes it down. */
export type Decision =
  | { readonly kind: 'commit'; readonly changes: readonly MergedChange[]; readonly resolves?: ParkedId }
  | {
      readonly kind: 'park';
      readonly changes: readonly HashedChange[];
      readonly conflicts: readonly Conflict[];
      readonly round: number;
      readonly owner: TaskPath;
      readonly epoch: number;
      readonly replaces?: ParkedId;
    }
  | { readonly kind: 'reject'; readonly rejection: Rejection };

export interface DecideOptions {
  readonly gates: readonly Gate[];
  readonly fieldGuideFolder: string;
}

const trunkMoved = 'trunk changed these paths since the base; take the newest trunk and try again';

function reject(code: RejectionCode, details: string, paths: readonly string[] = []): Decision {
  return { kind: 'reject', rejection: { code, paths, details } };
}

/**
 * Decides a submit against the newest state, in the order of DESIGN.md: epoch; scope, protected paths, size; (freeze);
 * merge; content gates on the merged result. The submit id was checked before. Pure. `changes` are those of the request.
 */
export function decide(
  state: LogState,
  request: SubmitRequest,
  changes: readonly HashedChange[],
  contents: Contents,
  options: DecideOptions,
): Decision {
  const { id, intent, changeSet } = request;
  const fence = state.fence(id.task);
  if (id.epoch < fence) {
    return reject('stale-epoch', `epoch ${id.epoch} of ${id.task} is over, ${fence} is current`);
  }
  const base = state.history.sequenceOf(changeSet.base);
  if (base === undefined) return reject('unknown-base', `no snapshot ${changeSet.base} is on trunk`);
  const settles = settledSet(state, request);
  if (intent.kind === 'resolution' && settles === undefined) {
    return reject('not-parked', `${intent.parked} is not parked any more: there is nothing to resolve`);
  }
  const baseTree = state.history.treeAt(base);
  const rejection = admit({
    intent,
    scope: request.scope,
    fieldGuideFolder: options.fieldGuideFolder,
    parkedPaths: new Set(intent.kind === 'resolution' ? settles?.entry.changes.map(({ path }) => path) : []),
    base: baseTree,
    changes,
    contents,
  });
  if (rejection !== undefined) return { kind: 'reject', rejection };
  const real = changes.filter(({ path, entry }) => !sameEntry(entryAt(baseTree, path), entry));
  // A resolution may find that trunk has all that is needed.
  if (real.length === 0 && intent.kind !== 'resolution') {
    return reject('empty', 'the change set changes nothing against its base');
  }
  const trunk = state.history.tip;
  const merge = mergeChanges(baseTree, trunk, real, contents);
  if (merge.conflicts.length > 0) {
    const paths = merge.conflicts.map(({ path }) => path);
    // No agent has it in its view, and no resolver is asked: the harness writes it again.
    if (intent.kind === 'harness') return reject('trunk-moved', trunkMoved, paths);
    // A resolver works for the set's task, whatever it is called, and its answer is in no agent's view.
    const { owner, epoch } = settles?.request ?? { owner: id.task, epoch: id.epoch };
    const conflicts = merge.conflicts.map((conflict): Conflict => {
      const trunkTasks = state.history.tasksSince(base, conflict.path);
      return { ...conflict, trunkTasks, task: owner };
    });
    const { round, replaces } = placeOf(request, settles);
    return { kind: 'park', changes: real, conflicts, round, owner, epoch, ...(replaces && { replaces }) };
  }
  for (const gate of options.gates) {
    const objection = gate({ before: trunk, after: merge.root, changes: merge.changes, contents });
    if (objection !== undefined) return { kind: 'reject', rejection: objection };
  }
  return {
    kind: 'commit',
    changes: merge.changes,
    ...(settles && { resolves: settles.entry.parked }),
  };
}

/** Resolutions that failed count, later submits of the agent do not. */
function placeOf(
  { intent }: SubmitRequest,
  settles: ParkedState | undefined,
): { readonly round: number; readonly replaces?: ParkedId } {
  if (settles === undefined) return { round: 1 };
  const { round, parked: replaces } = settles.entry;
  return { round: intent.kind === 'resolution' ? round + 1 : round, replaces };
}

/**
 * The parked set that this submit takes the place of. A resolution names it. A later submit of the same agent holds it
 * too, since it has all edits of the agent's view; that of a new epoch starts from trunk, and the harness's own never
 * held it, so both leave the parked set alone: work is dropped by a recorded decision only.
 */
function settledSet(state: LogState, { id, intent }: SubmitRequest): ParkedState | undefined {
  if (intent.kind === 'resolution') return state.parkedSet(intent.parked);
  if (intent.kind === 'harness') return undefined;
  for (const parked of state.parkedSets()) {
    const { owner, epoch } = parked.request;
    if (owner === id.task && epoch === id.epoch) return parked;
  }
  return undefined;
}
