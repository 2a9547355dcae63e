import {
  diffLines,
  splitLines,
  type CostBudget,
  type LineHunk,
  type Lines,
  type LineTable,
} from './line-diff.ts';

export type FileMerge =
  | { readonly kind: 'clean'; readonly content: Uint8Array }
  | { readonly kind: 'conflict'; readonly reason: 'content' | 'binary' | 'too-costly' };

/** Lines of a side that stand where others stood in the base. */
export interface Hunk {
  /** Base lines [start, end), counted from 0, that the side no longer has; empty where it only inserts. */
  readonly start: number;
  readonly end: number;
  /** What the base had there, and what the side has, line by line with terminators, as UTF-8. */
  readonly removed: readonly string[];
  readonly inserted: readonly string[];
}

/** Measured: about 100 million comparisons a second; two diffs share the budget. */
const comparisonsPerMerge = 12_000_000;

/** As git has it, but over the whole file and not its first 8,000 bytes. */
export function isBinary(content: Uint8Array): boolean {
  return content.includes(0);
}

/**
 * Three-way merge by lines, equal to `git merge-file` in what it merges and in the result. Never writes markers. Changes
 * that touch each other are one region; a region that only one side changed, or both in the same way, is clean.
 */
export function mergeFile(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): FileMerge {
  if (isBinary(base) || isBinary(ours) || isBinary(theirs)) return { kind: 'conflict', reason: 'binary' };
  const table: LineTable = new Map();
  const budget: CostBudget = { left: comparisonsPerMerge };
  const [baseLines, ourLines, theirLines] = [
    splitLines(base, table),
    splitLines(ours, table),
    splitLines(theirs, table),
  ];
  const ourHunks = diffLines(baseLines, ourLines, budget);
  const theirHunks = ourHunks && diffLines(baseLines, theirLines, budget);
  if (ourHunks === undefined || theirHunks === undefined) return { kind: 'conflict', reason: 'too-costly' };
  return mergeHunks(baseLines, ourLines, theirLines, ourHunks, theirHunks);
}

function mergeHunks(
  base: Lines,
  ours: Lines,
  theirs: Lines,
  ourHunks: readonly LineHunk[],
  theirHunks: readonly LineHunk[],
): FileMerge {
  const parts: Uint8Array[] = [];
  let copied = 0;
  let left = 0;
  let right = 0;
  while (left < ourHunks.length || right < theirHunks.length) {
    const [firstLeft, firstRight] = [left, right];
    const start = Math.min(ourHunks[left]?.start ?? Infinity, theirHunks[right]?.start ?? Infinity);
    // Hunks join the region while they touch it: without an unchanged line between two changes their order is a guess.
    for (let end = start; ;) {
      const hunk =
        (ourHunks[left]?.start ?? Infinity) <= end ? ourHunks[left++] : touching(theirHunks[right], end);
      if (hunk === undefined) break;
      if (hunk === theirHunks[right]) right += 1;
      end = Math.max(end, hunk.end);
    }
    const ourRegion = ourHunks.slice(firstLeft, left);
    const theirRegion = theirHunks.slice(firstRight, right);
    const end = Math.max(ourRegion.at(-1)?.end ?? 0, theirRegion.at(-1)?.end ?? 0);
    const chosen = chooseSide(ours, theirs, ourRegion, theirRegion, start, end);
    if (chosen === undefined) return { kind: 'conflict', reason: 'content' };
    parts.push(sliceOf(base, copied, start), chosen);
    copied = end;
  }
  parts.push(sliceOf(base, copied, base.ids.length));
  return { kind: 'clean', content: concatenate(parts) };
}

function touching(hunk: LineHunk | undefined, end: number): LineHunk | undefined {
  return hunk !== undefined && hunk.start <= end ? hunk : undefined;
}

/** The region's lines from the side that changed it; undefined when both did, differently. */
function chooseSide(
  ours: Lines,
  theirs: Lines,
  ourRegion: readonly LineHunk[],
  theirRegion: readonly LineHunk[],
  start: number,
  end: number,
): Uint8Array | undefined {
  const ourRange = rangeOn(ourRegion, start, end);
  const theirRange = rangeOn(theirRegion, start, end);
  if (theirRange === undefined) return ourRange && sliceOf(ours, ...ourRange);
  if (ourRange === undefined) return sliceOf(theirs, ...theirRange);
  const left = ours.ids.subarray(...ourRange);
  const right = theirs.ids.subarray(...theirRange);
  const same = left.length === right.length && left.every((id, index) => id === right[index]);
  return same ? sliceOf(ours, ...ourRange) : undefined;
}

/** The side's lines that stand for base lines [start, end); undefined when the side changed nothing there. */
function rangeOn(
  hunks: readonly LineHunk[],
  start: number,
  end: number,
): readonly [number, number] | undefined {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return [first.from - (first.start - start), last.to + (end - last.end)];
}

function sliceOf(lines: Lines, from: number, to: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[from], lines.starts[to]);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * What a side changed against the base, in order. Empty for equal contents; undefined when the files are too different to
 * compare within the cost cap, or binary.
 */
export function hunksOf(base: Uint8Array, side: Uint8Array): readonly Hunk[] | undefined {
  if (isBinary(base) || isBinary(side)) return undefined;
  const table: LineTable = new Map();
  const [baseLines, sideLines] = [splitLines(base, table), splitLines(side, table)];
  const hunks = diffLines(baseLines, sideLines, { left: comparisonsPerMerge });
  return hunks?.map(({ start, end, from, to }) => ({
    start,
    end,
    removed: textOf(baseLines, start, end),
    inserted: textOf(sideLines, from, to),
  }));
}

function textOf(lines: Lines, from: number, to: number): readonly string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts: string[] = [];
  for (let line = from; line < to; line += 1) texts.push(decoder.decode(sliceOf(lines, line, line + 1)));
  return texts;
}
