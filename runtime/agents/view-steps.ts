import type { Change, SnapshotId } from '#protocol/change-sets.ts';
import type { TranscriptItem, ViewStep } from '#protocol/transcripts.ts';

/** The part of a view that a crash must not take away. */
export interface ViewState {
  readonly base: SnapshotId;
  readonly edits: readonly Change[];
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left === right || (left.length === right.length && Buffer.compare(left, right) === 0);
}

function isSameChange(left: Change | undefined, right: Change): boolean {
  if (left === undefined || left.kind !== right.kind) return false;
  if (left.kind === 'delete' || right.kind === 'delete') return true;
  return (
    left.mode === right.mode && left.movedFrom === right.movedFrom && sameBytes(left.content, right.content)
  );
}

function encodeChange(change: Change): ViewStep['set'][number] {
  if (change.kind === 'delete') return change;
  const { content, ...rest } = change;
  return { ...rest, content: Buffer.from(content).toString('base64') };
}

function decodeChange(change: ViewStep['set'][number]): Change {
  if (change.kind === 'delete') return change;
  return { ...change, content: new Uint8Array(Buffer.from(change.content, 'base64')) };
}

/** What lies between two states of a view; undefined when nothing does. */
export function viewStepBetween(before: ViewState, after: ViewState): ViewStep | undefined {
  const old = new Map(before.edits.map((change) => [change.path, change]));
  const set: ViewStep['set'][number][] = [];
  for (const change of after.edits) {
    if (!isSameChange(old.get(change.path), change)) set.push(encodeChange(change));
    old.delete(change.path);
  }
  const unset = [...old.keys()];
  const moved = before.base !== after.base;
  if (!moved && set.length === 0 && unset.length === 0) return undefined;
  return { ...(moved ? { base: after.base } : {}), set, unset };
}

/** The state that a transcript leaves a view in. */
export function viewStateAfter(start: SnapshotId, items: readonly TranscriptItem[]): ViewState {
  let base = start;
  const edits = new Map<string, Change>();
  for (const item of items) {
    if (item.kind !== 'tool' || item.view === undefined) continue;
    base = item.view.base ?? base;
    for (const path of item.view.unset) edits.delete(path);
    for (const change of item.view.set) edits.set(change.path, decodeChange(change));
  }
  return { base, edits: [...edits.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}
