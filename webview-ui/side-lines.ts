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

interface Marks {
  /** Indices of lines that another text does not have at their place. */
  readonly changed: Set<number>;
  /** Those, and the lines before which another text has more. */
  readonly near: Set<number>;
}

function mark(text: readonly string[], others: readonly (readonly string[])[]): Marks {
  const marks: Marks = { changed: new Set(), near: new Set() };
  for (const other of others) {
    if (text.length + other.length > most) continue;
    for (const [from, to] of diff([...text], [...other])) {
      marks.near.add(from);
      for (let index = from; index < to; index += 1) {
        marks.changed.add(index);
        marks.near.add(index);
      }
    }
  }
  return marks;
}

/**
 * @param others the texts that it is compared with: for a side the base, for the base both sides
 * @returns the whole text when there is nothing to compare with, or no difference
 */
export function sideLines(text: string, others: readonly string[]): readonly SideLine[] {
  const lines = linesOf(text);
  const { changed, near } = mark(lines, others.map(linesOf));
  const isShown = (index: number): boolean => {
    if (near.size === 0) return true;
    for (let at = index - context; at <= index + context; at += 1) if (near.has(at)) return true;
    return false;
  };
  const shown: SideLine[] = [];
  let gap = 0;
  for (const [index, line] of lines.entries()) {
    if (!isShown(index)) {
      gap += 1;
      continue;
    }
    if (gap > 0) shown.push({ kind: 'gap', number: index, lines: gap });
    gap = 0;
    shown.push({ kind: 'line', number: index + 1, text: line, isChanged: changed.has(index) });
  }
  if (gap > 0) shown.push({ kind: 'gap', number: lines.length, lines: gap });
  return shown;
}
