import { diffLines, type CostBudget, type LineHunk } from './line-diff.ts';
import { lineCount, linesBetween, splitLines, type Lines, type LineTable } from './text-lines.ts';

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

/** Comparisons that the two diffs of a merge may make: about 0.1 s, several times that on a busy machine. */
const comparisonsPerMerge = 4_000_000;

const tooCostly: FileMerge = { kind: 'conflict', reason: 'too-costly' };

/** As git has it, but over the whole file and not its first 8,000 bytes. */
function isBinary(content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(0);
}

/**
 * Three-way merge by lines, equal to `git merge-file` in what it merges and in the result. Never writes markers. Changes
 * that touch each other are one region; a region that only one side changed, or both in the same way, is clean.
 */
export function mergeFile(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): FileMerge {
  if (isBinary(base) || isBinary(ours) || isBinary(theirs)) return { kind: 'conflict', reason: 'binary' };
  const table: LineTable = new Map();
  const budget: CostBudget = { left: comparisonsPerMerge };
  const baseLines = splitLines(base, table);
  const ourLines = splitLines(ours, table);
  const theirLines = splitLines(theirs, table);
  if (baseLines === undefined || ourLines === undefined || theirLines === undefined) return tooCostly;
  const ourHunks = diffLines(baseLines, ourLines, budget);
  const theirHunks = ourHunks && diffLines(baseLines, theirLines, budget);
  if (ourHunks === undefined || theirHunks === undefined) return tooCostly;
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
  for (let left = 0, right = 0; left < ourHunks.length || right < theirHunks.length;) {
    const region = nextRegion(ourHunks, theirHunks, left, right);
    const { start, end } = region;
    const ourRange = rangeOn(ourHunks.slice(left, region.left), start, end);
    const theirRange = rangeOn(theirHunks.slice(right, region.right), start, end);
    const chosen = chooseSide(ours, theirs, ourRange, theirRange);
    if (chosen === undefined) return { kind: 'conflict', reason: 'content' };
    parts.push(linesBetween(base, copied, start), chosen);
    copied = end;
    ({ left, right } = region);
  }
  parts.push(linesBetween(base, copied, lineCount(base)));
  return { kind: 'clean', content: concatenate(parts) };
}

/** Base lines [start, end) that one side or both changed, and the first hunks behind it. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly right: number;
}

/** Hunks join a region while they touch it: without an unchanged line between two changes their order is a guess. */
function nextRegion(
  ours: readonly LineHunk[],
  theirs: readonly LineHunk[],
  fromLeft: number,
  fromRight: number,
): Region {
  let [left, right] = [fromLeft, fromRight];
  const start = Math.min(ours[left]?.start ?? Infinity, theirs[right]?.start ?? Infinity);
  let end = start;
  for (;;) {
    const [our, their] = [ours[left], theirs[right]];
    if (our !== undefined && our.start <= end) {
      end = Math.max(end, our.end);
      left += 1;
    } else if (their !== undefined && their.start <= end) {
      end = Math.max(end, their.end);
      right += 1;
    } else {
      return { start, end, left, right };
    }
  }
}

type Range = readonly [from: number, to: number];

/** The region's lines from the side that changed it; undefined when both did, differently. */
function chooseSide(
  ours: Lines,
  theirs: Lines,
  ourRange: Range | undefined,
  theirRange: Range | undefined,
): Uint8Array | undefined {
  if (theirRange === undefined) return ourRange && linesBetween(ours, ...ourRange);
  if (ourRange === undefined) return linesBetween(theirs, ...theirRange);
  const left = linesBetween(ours, ...ourRange);
  return Buffer.compare(left, linesBetween(theirs, ...theirRange)) === 0 ? left : undefined;
}

/** The side's lines that stand for base lines [start, end); undefined when the side changed nothing there. */
function rangeOn(hunks: readonly LineHunk[], start: number, end: number): Range | undefined {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return [first.from - (first.start - start), last.to + (end - last.end)];
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
  const baseLines = splitLines(base, table);
  const sideLines = splitLines(side, table);
  if (baseLines === undefined || sideLines === undefined) return undefined;
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
  for (let line = from; line < to; line += 1) texts.push(decoder.decode(linesBetween(lines, line, line + 1)));
  return texts;
}
