import { diff } from 'fast-myers-diff';
import { linesOf } from './text-lines.ts';

/** A range and its text, as an editor takes it: lines and characters count from 0. */
export interface LineEdit {
  readonly start: readonly [line: number, character: number];
  readonly end: readonly [line: number, character: number];
  readonly text: string;
}

/** Lines on both sides between equal beginnings and ends; texts that differ more are replaced there as one. */
const mostLines = 4_000;

interface Change {
  /** Lines [from, to) of the old text, and what stands there instead. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Edits that make one text of the other and leave every line alone that both have, so that cursors and marks stay. */
export function minimalEdits(before: string, after: string, lineEnd: string): readonly LineEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  return changes(old, now).map((change) => edit(old, change, lineEnd));
}

function changes(old: readonly string[], now: readonly string[]): readonly Change[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  if (start === oldEnd && start === nowEnd) return [];
  if (oldEnd - start + nowEnd - start > mostLines) {
    return [{ from: start, to: oldEnd, lines: now.slice(start, nowEnd) }];
  }
  const found: Change[] = [];
  for (const [from, to, nowFrom, nowTo] of diff(old.slice(start, oldEnd), now.slice(start, nowEnd))) {
    found.push({ from: start + from, to: start + to, lines: now.slice(start + nowFrom, start + nowTo) });
  }
  return found;
}

function edit(old: readonly string[], { from, to, lines }: Change, lineEnd: string): LineEdit {
  const text = lines.join(lineEnd);
  const endOf = (line: number): readonly [number, number] => [line, old[line]?.length ?? 0];
  if (from < to && lines.length > 0) return { start: [from, 0], end: endOf(to - 1), text };
  // A text has one line at least: what is only inserted or only deleted has a neighbour.
  if (to < old.length)
    return { start: [from, 0], end: [to, 0], text: lines.length > 0 ? text + lineEnd : '' };
  return { start: endOf(from - 1), end: endOf(old.length - 1), text: lines.length > 0 ? lineEnd + text : '' };
}
