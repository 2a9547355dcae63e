import type { Handoff } from '#protocol/tasks.ts';
import { byteLength, cutMiddle } from '../tools/limits.ts';
import type { TaskHandoff } from './briefs.ts';
import { bullets, fence } from './parts.ts';

/** What all handoffs together may take of a prompt. Bytes. */
const allBytes = 48 * 1024;

/** Less than this says nothing: with more handoffs than that allows, the rest is counted. Bytes. */
const leastBytes = 512;

/** For the line that counts the rest. Bytes. */
const restBytes = 256;

/** The empty line between two. */
const separatorBytes = 2;

const statuses = ['done', 'partial', 'blocked', 'failed'] as const satisfies readonly Handoff['status'][];

/**
 * Handoffs as their reader sees them, at most 48 KiB together. What does not fit is shortened, the longest first, and
 * marked; of very many those that are not done are kept longest, and a last line counts the others by state.
 */
export function handoffReports(handoffs: readonly TaskHandoff[]): readonly string[] {
  const { kept, left } = chooseReports(handoffs);
  const whole = kept.map((one) => describe(one));
  const bytes = left.length === 0 ? allBytes : allBytes - restBytes;
  const limit = fairShare(whole.map(byteLength), bytes - separatorBytes * kept.length);
  const reports = kept.map((one, index) => {
    const text = whole[index] ?? '';
    return byteLength(text) <= limit ? text : shorten(one, limit);
  });
  return left.length === 0 ? reports : [...reports, restLine(left)];
}

/** In the order given. */
function chooseReports(handoffs: readonly TaskHandoff[]): {
  readonly kept: readonly TaskHandoff[];
  readonly left: readonly TaskHandoff[];
} {
  const least = new Map(
    handoffs.map((one) => [one, Math.min(byteLength(describe(one)), leastBytes) + separatorBytes]),
  );
  const byNeed = handoffs.toSorted((one, other) => Number(isDone(one)) - Number(isDone(other)));
  const chosen = new Set<TaskHandoff>();
  let room = allBytes - restBytes;
  for (const one of byNeed) {
    room -= least.get(one) ?? 0;
    if (room < 0) break;
    chosen.add(one);
  }
  return {
    kept: handoffs.filter((one) => chosen.has(one)),
    left: handoffs.filter((one) => !chosen.has(one)),
  };
}

function isDone({ handoff }: TaskHandoff): boolean {
  return handoff.status === 'done';
}

/** The most that each may take so that all fit: what the short ones leave is for the long ones. */
function fairShare(sizes: readonly number[], total: number): number {
  let left = total;
  let others = sizes.length;
  for (const size of sizes.toSorted((one, other) => one - other)) {
    if (size * others > left) return Math.floor(left / others);
    left -= size;
    others -= 1;
  }
  return total;
}

/** A synthetic handoff is marked: its agent did not write it. */
function describe({ task, handoff }: TaskHandoff, body: string = bodyOf(handoff), note = ''): string {
  const { status, verification, synthetic } = handoff;
  const mark =
    synthetic === undefined ? '' : ` (written by the harness: the agent ended without one, ${synthetic})`;
  return `### ${task}: ${status}, ${verification}${mark}${note}\n\n${fence(body)}`;
}

function bodyOf({ summary, deviations, findings, concerns }: Handoff): string {
  const lists = [
    namedList('deviations', deviations),
    namedList('findings', findings),
    namedList('concerns', concerns),
  ].join('');
  return `${summary.trim()}${lists}`;
}

function namedList(name: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `\n${name}:\n${bullets(items)}`;
}

function shorten(one: TaskHandoff, limit: number): string {
  const note = ' (shortened to fit)';
  const body = bodyOf(one.handoff);
  // A fence grows with the backticks in it: what is still too long is cut again.
  for (let bytes = limit - byteLength(describe(one, '', note)); bytes > 100; bytes = Math.floor(bytes / 2)) {
    const text = describe(one, cutMiddle(body, bytes), note);
    if (byteLength(text) <= limit) return text;
  }
  return describe(one, '[left out]', note);
}

function restLine(left: readonly TaskHandoff[]): string {
  const counts = statuses.flatMap((status) => {
    const count = left.filter(({ handoff }) => handoff.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `And ${left.length} more, for whose reports there is no room: ${counts.join(', ')}.`;
}
