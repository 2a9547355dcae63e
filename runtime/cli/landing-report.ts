import type { LandedFile, LandingReport } from '#protocol/events.ts';
import { counted, oneLine, shellQuote } from './text.ts';
import { needsApproval, waitingReason, type WaitingFile } from './waiting-reason.ts';

const shownFiles = 10;

export function waitingFiles(files: Iterable<LandedFile> | undefined): readonly WaitingFile[] {
  return [...(files ?? [])].filter((file) => file.result === 'waits');
}

/** Which files wait, why, and the command that lands them. */
export function waitingLines(waiting: readonly WaitingFile[], land: string): string[] {
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, shownFiles);
  const options = shown.map((file) => {
    const option = needsApproval(file) ? '--approve' : '--take';
    return ` ${option} ${shellQuote(oneLine(file.path))}`;
  });
  return [
    `${counted(waiting.length, 'file waits', 'files wait')}:`,
    ...shown.map((file) => `  ${oneLine(file.path)}: ${oneLine(waitingReason(file))}`),
    ...(waiting.length > shown.length ? [`  … ${waiting.length - shown.length} more`] : []),
    `Settle them and land the rest, or let the built side land (what your file holds is kept): ${land}${options.join('')}`,
  ];
}

/** Nothing of the user's is lost, also when it was in no commit. */
export function replacedLines(replaced: string | undefined): string[] {
  return replaced === undefined ? [] : [`What your files held before is kept in ${oneLine(replaced)}`];
}

/** Files by what a landing did with them. */
export interface LandingCounts {
  /** Written, deleted or merged: what this landing changed. */
  readonly changed: number;
  /** Of those: with edits of the user. */
  readonly merged: number;
  /** Held what was built already. */
  readonly unchanged: number;
  /** Differ from what was built, and were left as they are. */
  readonly kept: readonly string[];
}

export function landingCounts(files: Iterable<LandedFile>): LandingCounts {
  const paths = { written: 0, deleted: 0, merged: 0, 'already-there': 0, waits: 0 };
  const kept: string[] = [];
  for (const { path, result } of files) {
    if (result === 'kept') kept.push(path);
    else paths[result] += 1;
  }
  const { written, deleted, merged } = paths;
  return { changed: written + deleted + merged, merged, unchanged: paths['already-there'], kept };
}

/** `7 files landed in /home/shop, 2 of them merged with your edits, 1 as it was` */
export function landedText({ changed, merged, unchanged }: LandingCounts, where = ''): string {
  const own = merged === 0 ? '' : `, ${merged} of them merged with your edits`;
  const rest = unchanged === 0 ? '' : `, ${unchanged} as ${unchanged === 1 ? 'it was' : 'they were'}`;
  return `${counted(changed, 'file')} landed${where}${own}${rest}`;
}

/** Names the user's files that are not what was built: what was verified is not what lies there. */
export function keptLines(kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  const shown = kept.slice(0, shownFiles).map((path) => oneLine(path));
  const more = kept.length > shown.length ? ` and ${kept.length - shown.length} more` : '';
  const [subject, end] =
    kept.length === 1
      ? ['1 file of yours differs', 'was left as it is']
      : [`${kept.length} files of yours differ`, 'were left as they are'];
  return [`${subject} from what was built, and ${end}: ${shown.join(', ')}${more}`];
}

/** What `land` did. */
export function landingLines(report: LandingReport, command: string, store: string): string[] {
  const waiting = waitingFiles(report.files);
  const counts = landingCounts(report.files);
  const state = report.verified ? 'green' : 'unverified: there is no verify command';
  return [
    `${landedText(counts, ` (${state})`)}.`,
    ...keptLines(counts.kept),
    ...replacedLines(report.replaced),
    ...waitingLines(waiting, `${command} --store ${shellQuote(store)}`),
  ];
}
