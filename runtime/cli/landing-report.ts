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

/** What `land` did. */
export function landingLines(report: LandingReport, command: string, store: string): string[] {
  const waiting = waitingFiles(report.files);
  const changed = report.files.filter((file) => file.result !== 'waits' && file.result !== 'already-there');
  const unchanged = report.files.length - waiting.length - changed.length;
  const state = report.verified ? 'green' : 'unverified: there is no verify command';
  return [
    `${counted(changed.length, 'file')} landed (${state})${unchanged === 0 ? '' : `, ${unchanged} as they were`}.`,
    ...replacedLines(report.replaced),
    ...waitingLines(waiting, `${command} --store ${shellQuote(store)}`),
  ];
}
