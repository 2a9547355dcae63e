import { diff } from 'fast-myers-diff';

/** What is shown of a file: its changed lines with some around them, and how many lie between. */
export type SideLine =
  | { readonly kind: 'line'; readonly number: number; readonly text: string; readonly isChanged: boolean }
  | { readonly kind: 'gap'; readonly number: number; readonly lines: number };

const context = 3;
/** Lines of both texts together: more are shown without marks, as comparing them could take seconds. */
const most = 8000;

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/u);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Indices of the lines of `text` that `other` does not have at their place; of what only `other` has, the lines around. */
function changed(text: readonly string[], other: readonly string[]): ReadonlySet<number> {
  const indices = new Set<number>();
  if (text.length + other.length > most) return indices;
  for (const [from, to] of diff([...text], [...other]))
    for (let index = from; index < to; index += 1) indices.add(index);
  return indices;
}

/**
 * @param others the texts that it is compared with: for a side the base, for the base both sides
 * @returns the whole text when there is nothing to compare with, or no difference
 */
export function sideLines(text: string, others: readonly string[]): readonly SideLine[] {
  const lines = linesOf(text);
  const marks = new Set(others.flatMap((other) => [...changed(lines, linesOf(other))]));
  const isNear = (index: number): boolean => {
    if (marks.size === 0) return true;
    for (let near = index - context; near <= index + context; near += 1) if (marks.has(near)) return true;
    return false;
  };
  const shown: SideLine[] = [];
  let gap = 0;
  for (const [index, line] of lines.entries()) {
    if (!isNear(index)) {
      gap += 1;
      continue;
    }
    if (gap > 0) shown.push({ kind: 'gap', number: index, lines: gap });
    gap = 0;
    shown.push({ kind: 'line', number: index + 1, text: line, isChanged: marks.has(index) });
  }
  if (gap > 0) shown.push({ kind: 'gap', number: lines.length, lines: gap });
  return shown;
}
