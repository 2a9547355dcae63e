import { isUtf8 as isUtf8Bytes } from 'node:buffer';
import type { Resolution, Waiver } from '#agents/tools/context.ts';
import { hunksOf } from '#vcs/merge-file.ts';

/** What one side changed against the base, numbered from 1 within its side. */
export interface SideHunk {
  readonly side: Waiver['side'];
  readonly number: number;
  readonly removed: readonly string[];
  readonly inserted: readonly string[];
}

/** The three contents of a conflict; a side without the file is undefined. */
export interface ConflictSides {
  readonly base: Uint8Array | undefined;
  readonly trunk: Uint8Array | undefined;
  readonly ours: Uint8Array | undefined;
}

const nothing = new Uint8Array();

function isUtf8(content: Uint8Array | undefined): boolean {
  return content === undefined || isUtf8Bytes(content);
}

/**
 * Both sides' hunks; undefined when a side is no UTF-8 text, or the texts differ too much to be compared. An answer is
 * UTF-8: any other encoding would be lost in it.
 */
export function conflictHunks(sides: ConflictSides): readonly SideHunk[] | undefined {
  if (![sides.base, sides.trunk, sides.ours].every(isUtf8)) return undefined;
  const base = sides.base ?? nothing;
  const hunks: SideHunk[] = [];
  for (const side of ['trunk', 'ours'] as const) {
    const found = hunksOf(base, sides[side] ?? nothing);
    if (found === undefined) return undefined;
    hunks.push(
      ...found.map(({ removed, inserted }, index) => ({ side, number: index + 1, removed, inserted })),
    );
  }
  return hunks;
}

/** One hunk as the resolver reads it. */
export function renderHunk({ removed, inserted }: SideHunk): string {
  const lines = [...removed.map((line) => `-${line}`), ...inserted.map((line) => `+${line}`)];
  return lines.map((line) => line.replace(/\r?\n$/, '')).join('\n');
}

function withoutEnds(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/\r?\n$/, ''));
}

/** How often `block` stands in `lines`, line for line. */
function occurrences(lines: readonly string[], block: readonly string[]): number {
  let count = 0;
  for (let start = 0; start + block.length <= lines.length; start += 1) {
    if (block.every((line, offset) => lines[start + offset] === line)) count += 1;
  }
  return count;
}

function linesOf(content: Uint8Array | undefined): readonly string[] {
  return content === undefined ? [] : new TextDecoder().decode(content).split(/\r?\n/);
}

/** True when the answer has what the hunk put there, or lacks what it took away. */
function isKept(hunk: SideHunk, answer: readonly string[], side: readonly string[]): boolean {
  const inserted = withoutEnds(hunk.inserted);
  // As often as the side has it: a line that stands elsewhere too must not vouch for one that was dropped.
  if (inserted.length > 0) return occurrences(answer, inserted) >= occurrences(side, inserted);
  const removed = withoutEnds(hunk.removed);
  return occurrences(answer, removed) <= occurrences(side, removed);
}

/**
 * What is wrong with a resolver's answer, one line each: every hunk of both sides stands in it, or is waived with a
 * reason. Checked mechanically, because an automatic resolution that drops one side's lines looks like any other.
 */
export function checkResolution(
  sides: ConflictSides,
  hunks: readonly SideHunk[],
  resolution: Resolution,
): readonly string[] {
  const answer = resolution.action === 'delete' ? [] : (resolution.content ?? '').split(/\r?\n/);
  const isWaived = (hunk: SideHunk): boolean =>
    resolution.waivers.some(({ side, hunk: number }) => side === hunk.side && number === hunk.number);
  const problems = hunks
    .filter((hunk) => !isWaived(hunk) && !isKept(hunk, answer, linesOf(sides[hunk.side])))
    .map(({ side, number }) => `hunk ${number} of ${side} is neither in the answer nor waived`);
  for (const { side, hunk } of resolution.waivers) {
    if (!hunks.some((one) => one.side === side && one.number === hunk)) {
      problems.push(`there is no hunk ${hunk} of ${side} to waive`);
    }
  }
  if (answer.some((line) => /^(<{7}|>{7}|\|{7})( |$)/.test(line)))
    problems.push('the answer holds conflict markers');
  return problems;
}
