import type { TaskChange } from '#protocol/runtime-api.ts';

/** What a task did to a file, from the state before one of its commits to that after the same or a later one. */
export interface FileChange {
  readonly path: string;
  readonly first: TaskChange;
  readonly last: TaskChange;
}

/**
 * Changes of a task, file by file. Commits to the same file are one change where nobody else came between them: else the
 * others' work would show as the task's.
 */
export function fileChanges(changes: readonly TaskChange[]): readonly FileChange[] {
  const merged: { path: string; first: TaskChange; last: TaskChange }[] = [];
  const open = new Map<string, { path: string; first: TaskChange; last: TaskChange }>();
  for (const change of changes) {
    const before = open.get(change.path);
    if (before && isSame(before.last.after, change.before)) {
      before.last = change;
      continue;
    }
    const next = { path: change.path, first: change, last: change };
    open.set(change.path, next);
    merged.push(next);
  }
  return merged
    .filter(({ first, last }) => !isSame(first.before, last.after))
    .toSorted((left, right) => (left.path < right.path ? -1 : Number(left.path > right.path)));
}

function isSame(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
