import { diff_core } from 'fast-myers-diff';
import { commonHead, commonTail, lineCount, lineId, type Lines } from './text-lines.ts';

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
 * What changed from `base` to `side`, in order, no two hunks touching; undefined when the budget does not suffice.
 * Where a hunk could lie at several places it lies where git puts it, because a merge depends on that.
 */
export function diffLines(base: Lines, side: Lines, budget: CostBudget): readonly LineHunk[] | undefined {
  const changedBase = new Uint8Array(lineCount(base) + 1);
  const changedSide = new Uint8Array(lineCount(side) + 1);
  const head = commonHead(base, side);
  const tail = commonTail(base, side, head);
  try {
    markChanges(base, side, head, tail, changedBase, changedSide, budget);
  } catch (error) {
    if (error instanceof TooCostly) return undefined;
    throw error;
  }
  slideHunks(base, changedBase, changedSide, head, tail);
  slideHunks(side, changedSide, changedBase, head, tail);
  return collectHunks(changedBase, changedSide);
}

function markChanges(
  base: Lines,
  side: Lines,
  head: number,
  tail: number,
  changedBase: Uint8Array,
  changedSide: Uint8Array,
  budget: CostBudget,
): void {
  const middleBase = idsBetween(base, head, lineCount(base) - tail);
  const middleSide = idsBetween(side, head, lineCount(side) - tail);
  // Lines that the other file lacks are changed in any case: without them the search is far smaller.
  const keptBase = markMissing(middleBase, head, idsIn(middleSide, base.table.size), changedBase);
  const keptSide = markMissing(middleSide, head, idsIn(middleBase, base.table.size), changedSide);
  const left = pick(middleBase, keptBase, head);
  const right = pick(middleSide, keptSide, head);
  const equal = (atLeft: number, atRight: number): boolean => {
    budget.left -= 1;
    if (budget.left < 0) throw new TooCostly();
    return left[atLeft] === right[atRight];
  };
  for (const [fromLeft, toLeft, fromRight, toRight] of diff_core(0, left.length, 0, right.length, equal)) {
    for (let at = fromLeft; at < toLeft; at += 1) changedBase[keptBase[at] ?? 0] = 1;
    for (let at = fromRight; at < toRight; at += 1) changedSide[keptSide[at] ?? 0] = 1;
  }
}

function idsBetween(lines: Lines, from: number, to: number): Int32Array {
  const ids = new Int32Array(to - from);
  for (let index = 0; index < ids.length; index += 1) ids[index] = lineId(lines, from + index);
  return ids;
}

/** 1 at each of the numbers, which are less than `count`. */
function idsIn(ids: Int32Array, count: number): Uint8Array {
  const present = new Uint8Array(count);
  for (const id of ids) present[id] = 1;
  return present;
}

/** The numbers of the lines at `places`; `ids` begins with that of line `first`. */
function pick(ids: Int32Array, places: readonly number[], first: number): Int32Array {
  const picked = new Int32Array(places.length);
  for (let at = 0; at < picked.length; at += 1) picked[at] = ids[(places[at] ?? first) - first] ?? -1;
  return picked;
}

/** Marks those lines, the first of them numbered `first`, that `others` lacks; gives the numbers of the rest. */
function markMissing(
  ids: Int32Array,
  first: number,
  others: Uint8Array,
  changed: Uint8Array,
): readonly number[] {
  const kept: number[] = [];
  for (let index = 0; index < ids.length; index += 1) {
    if (others[ids[index] ?? 0] === 1) kept.push(first + index);
    else changed[first + index] = 1;
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

function slideUp(group: Group, lines: Lines, changed: Uint8Array): boolean {
  if (group.start === 0 || lineId(lines, group.start - 1) !== lineId(lines, group.end - 1)) return false;
  group.start -= 1;
  group.end -= 1;
  changed[group.start] = 1;
  changed[group.end] = 0;
  while (group.start > 0 && changed[group.start - 1] === 1) group.start -= 1;
  return true;
}

function slideDown(group: Group, lines: Lines, changed: Uint8Array): boolean {
  if (group.end >= lineCount(lines) || lineId(lines, group.start) !== lineId(lines, group.end)) return false;
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
function slideHunks(
  lines: Lines,
  changed: Uint8Array,
  otherChanged: Uint8Array,
  head: number,
  tail: number,
): void {
  const group: Group = { start: head, end: head };
  const other: Group = { start: head, end: head };
  growEnd(group, changed);
  growEnd(other, otherChanged);
  do {
    if (group.end > group.start) slideGroup(group, other, lines, changed, otherChanged);
    if (group.start > lineCount(lines) - tail) return;
  } while (toNext(group, changed) && toNext(other, otherChanged));
}

function slideGroup(
  group: Group,
  other: Group,
  lines: Lines,
  changed: Uint8Array,
  otherChanged: Uint8Array,
): void {
  let size: number;
  let matching: boolean;
  let slid: number;
  do {
    size = group.end - group.start;
    while (slideUp(group, lines, changed)) toPrevious(other, otherChanged);
    matching = other.end > other.start;
    slid = 0;
    while (slideDown(group, lines, changed)) {
      toNext(other, otherChanged);
      matching ||= other.end > other.start;
      slid += 1;
    }
    // Sliding can join it with a neighbour, and the larger group may slide further.
  } while (size !== group.end - group.start);
  if (slid === 0 || !matching) return;
  while (other.end === other.start && slideUp(group, lines, changed)) toPrevious(other, otherChanged);
}

function collectHunks(changedBase: Uint8Array, changedSide: Uint8Array): readonly LineHunk[] {
  const hunks: LineHunk[] = [];
  let [end, to] = [0, 0];
  for (;;) {
    const [nextBase, nextSide] = [changedBase.indexOf(1, end), changedSide.indexOf(1, to)];
    if (nextBase < 0 && nextSide < 0) return hunks;
    // As many unchanged lines lie before it in both.
    const unchanged = Math.min(
      nextBase < 0 ? Infinity : nextBase - end,
      nextSide < 0 ? Infinity : nextSide - to,
    );
    const [start, from] = [end + unchanged, to + unchanged];
    end = changedBase.indexOf(0, start);
    to = changedSide.indexOf(0, from);
    hunks.push({ start, end, from, to });
  }
}
