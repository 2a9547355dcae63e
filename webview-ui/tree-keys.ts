import { parentTask, type TaskPath } from '#protocol/tasks.ts';
import type { TaskRow } from './task-rows.ts';

/** What a key does in a tree, as the ARIA Authoring Practices have it (Tree View Pattern). */
export type TreeStep =
  | { readonly kind: 'go'; readonly index: number }
  | { readonly kind: 'open' | 'close'; readonly paths: readonly TaskPath[] };

/**
 * @param current index of the line that has the focus; -1 for none
 * @param page lines that are in sight at once
 * @returns undefined for a key that a tree does not know, or that has nothing to do here
 */
export function treeStep(
  key: string,
  rows: readonly TaskRow[],
  current: number,
  page: number,
): TreeStep | undefined {
  const last = rows.length - 1;
  const go = (index: number): TreeStep | undefined =>
    last < 0 ? undefined : { kind: 'go', index: Math.min(last, Math.max(0, index)) };
  const row = rows[current];
  switch (key) {
    case 'ArrowDown':
      return go(current + 1);
    case 'ArrowUp':
      return go(current - 1);
    case 'PageDown':
      return go(current + page);
    case 'PageUp':
      return go(current - page);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'ArrowRight':
      if (row?.isOpen === true) return go(current + 1);
      return row?.isOpen === false ? { kind: 'open', paths: [row.node.path] } : undefined;
    case 'ArrowLeft':
      if (row?.isOpen === true) return { kind: 'close', paths: [row.node.path] };
      return row && row.level > 1 ? go(indexOfParent(rows, row)) : undefined;
    case '*':
      return row && { kind: 'open', paths: closedSiblings(rows, row) };
    default:
      return undefined;
  }
}

function indexOfParent(rows: readonly TaskRow[], row: TaskRow): number {
  return rows.findIndex(({ node }) => node.path === row.node.parent);
}

function closedSiblings(rows: readonly TaskRow[], row: TaskRow): readonly TaskPath[] {
  return rows
    .filter(({ node, isOpen }) => isOpen === false && node.parent === row.node.parent)
    .map(({ node }) => node.path);
}

/** The next line whose name begins with what was typed, from the line after the current one on, and around. */
export function typedAhead(rows: readonly TaskRow[], current: number, typed: string): number | undefined {
  // Another letter of the same word keeps the line; a first letter goes on to the next.
  const from = typed.length > 1 ? Math.max(0, current) : current + 1;
  for (let step = 0; step < rows.length; step += 1) {
    const index = (from + step) % rows.length;
    if (rows[index]?.node.spec.name.toLowerCase().startsWith(typed.toLowerCase()) === true) return index;
  }
  return undefined;
}

/** The line of a task, or of the nearest one above it that is in the tree. */
export function rowOf(rows: readonly TaskRow[], task: TaskPath | undefined): number {
  for (let path = task; path !== undefined; path = parentTask(path)) {
    const index = rows.findIndex(({ node }) => node.path === path);
    if (index >= 0) return index;
  }
  return -1;
}
