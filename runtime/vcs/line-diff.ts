import { diff_core } from 'fast-myers-diff';

/** Lines of one file, each with its terminator, as numbers that are equal where the lines are. */
export interface Lines {
  readonly bytes: Uint8Array;
  /** Byte offset of each line, and the length of the file at the end. */
  readonly starts: readonly number[];
  readonly ids: Int32Array;
}

/** Numbers for lines, shared by the files that are compared. */
export type LineTable = Map<string, number>;

/** Base lines [start, end) became the side's lines [from, to). */
export interface LineHunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Comparisons of lines that one merge may still make, so that hostile input cannot hold anyone up. */
export interface CostBudget {
  left: number;
}

class TooCostly extends Error {}

/**
 * Splits at LF and keeps it, so that CRLF, a lone CR and a missing final newline are part of the line as they are in git.
 * Bytes are taken as Latin-1: any encoding without NUL bytes passes through unharmed.
 */
export function splitLines(bytes: Uint8Array, table: LineTable): Lines {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const starts: number[] = [];
  const ids: number[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    const line = text.slice(start, end);
    let id = table.get(line);
    if (id === undefined) {
      id = table.size;
      table.set(line, id);
    }
    starts.push(start);
    ids.push(id);
    start = end;
  }
  starts.push(text.length);
  return { bytes, starts, ids: Int32Array.from(ids) };
}

/**
 * What changed from `base` to `side`, in order, no two hunks touching; undefined when the budget does not suffice.
 * Where a hunk could lie at several places it lies where git puts it, because a merge depends on that.
 */
export function diffLines(base: Lines, side: Lines, budget: CostBudget): readonly LineHunk[] | undefined {
  const [a, b] = [base.ids, side.ids];
  const changedBase = new Uint8Array(a.length + 1);
  const changedSide = new Uint8Array(b.length + 1);
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  try {
    markChanges(a, b, head, tail, changedBase, changedSide, budget);
  } catch (error) {
    if (error instanceof TooCostly) return undefined;
    throw error;
  }
  slideHunks(a, changedBase, changedSide);
  slideHunks(b, changedSide, changedBase);
  return collectHunks(a.length, b.length, changedBase, changedSide);
}

function markChanges(
  a: Int32Array,
  b: Int32Array,
  head: number,
  tail: number,
  changedA: Uint8Array,
  changedB: Uint8Array,
  budget: CostBudget,
): void {
  // Lines that the other file lacks are changed in any case: without them the search is far smaller.
  const keptA = markMissing(a, head, a.length - tail, new Set(b.subarray(head, b.length - tail)), changedA);
  const keptB = markMissing(b, head, b.length - tail, new Set(a.subarray(head, a.length - tail)), changedB);
  const idsA = Int32Array.from(keptA, (index) => a[index] ?? -1);
  const idsB = Int32Array.from(keptB, (index) => b[index] ?? -1);
  const equal = (left: number, right: number): boolean => {
    budget.left -= 1;
    if (budget.left < 0) throw new TooCostly();
    return idsA[left] === idsB[right];
  };
  for (const [fromA, toA, fromB, toB] of diff_core(0, idsA.length, 0, idsB.length, equal)) {
    for (let at = fromA; at < toA; at += 1) changedA[keptA[at] ?? 0] = 1;
    for (let at = fromB; at < toB; at += 1) changedB[keptB[at] ?? 0] = 1;
  }
}

/** Marks the lines of [from, to) that `others` lacks, and gives the indexes of the rest. */
function markMissing(
  ids: Int32Array,
  from: number,
  to: number,
  others: ReadonlySet<number>,
  changed: Uint8Array,
): readonly number[] {
  const kept: number[] = [];
  for (let index = from; index < to; index += 1) {
    if (others.has(ids[index] ?? -1)) kept.push(index);
    else changed[index] = 1;
  }
  return kept;
}

/** The changed lines between two neighbouring unchanged ones; may be empty. */
interface Group {
  start: number;
  end: number;
}

function growEnd(group: Group, changed: Uint8Array): void {
  while (changed[group.end] === 1) group.end += 1;
}

function toNext(group: Group, changed: Uint8Array): boolean {
  // One place behind the last line is always unchanged: it ends the last group.
  if (group.end >= changed.length - 1) return false;
  group.start = group.end + 1;
  group.end = group.start;
  growEnd(group, changed);
  return true;
}

function toPrevious(group: Group, changed: Uint8Array): void {
  group.end = group.start - 1;
  group.start = group.end;
  while (group.start > 0 && changed[group.start - 1] === 1) group.start -= 1;
}

function slideUp(group: Group, ids: Int32Array, changed: Uint8Array): boolean {
  if (group.start === 0 || ids[group.start - 1] !== ids[group.end - 1]) return false;
  group.start -= 1;
  group.end -= 1;
  changed[group.start] = 1;
  changed[group.end] = 0;
  while (group.start > 0 && changed[group.start - 1] === 1) group.start -= 1;
  return true;
}

function slideDown(group: Group, ids: Int32Array, changed: Uint8Array): boolean {
  if (group.end >= ids.length || ids[group.start] !== ids[group.end]) return false;
  changed[group.start] = 0;
  changed[group.end] = 1;
  group.start += 1;
  group.end += 1;
  growEnd(group, changed);
  return true;
}

/**
 * A run of changed lines whose neighbours repeat it can be marked at several places. It goes to the last of them, or to
 * the last that has changed lines on the other side, so that a replacement stays one. The rule is git's (diff, without
 * the indent heuristic); each group of one file has its group in the other, between the same unchanged lines.
 */
function slideHunks(ids: Int32Array, changed: Uint8Array, otherChanged: Uint8Array): void {
  const group: Group = { start: 0, end: 0 };
  const other: Group = { start: 0, end: 0 };
  growEnd(group, changed);
  growEnd(other, otherChanged);
  do {
    if (group.end > group.start) slideGroup(group, other, ids, changed, otherChanged);
  } while (toNext(group, changed) && toNext(other, otherChanged));
}

function slideGroup(
  group: Group,
  other: Group,
  ids: Int32Array,
  changed: Uint8Array,
  otherChanged: Uint8Array,
): void {
  let size: number;
  let matching: boolean;
  let slid: number;
  do {
    size = group.end - group.start;
    while (slideUp(group, ids, changed)) toPrevious(other, otherChanged);
    matching = other.end > other.start;
    slid = 0;
    while (slideDown(group, ids, changed)) {
      toNext(other, otherChanged);
      matching ||= other.end > other.start;
      slid += 1;
    }
    // Sliding can join it with a neighbour, and the larger group may slide further.
  } while (size !== group.end - group.start);
  if (slid === 0 || !matching) return;
  while (other.end === other.start && slideUp(group, ids, changed)) toPrevious(other, otherChanged);
}

function collectHunks(
  lengthA: number,
  lengthB: number,
  changedA: Uint8Array,
  changedB: Uint8Array,
): readonly LineHunk[] {
  const hunks: LineHunk[] = [];
  let a = 0;
  let b = 0;
  while (a < lengthA || b < lengthB) {
    const [start, from] = [a, b];
    while (changedA[a] === 1) a += 1;
    while (changedB[b] === 1) b += 1;
    if (a > start || b > from) hunks.push({ start, end: a, from, to: b });
    a += 1;
    b += 1;
  }
  return hunks;
}
