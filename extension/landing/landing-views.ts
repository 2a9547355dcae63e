import { commands, l10n, window, type Uri } from 'vscode';
import { isUndecided, type LandingFile } from '#protocol/projection-review.ts';
import type { ShownLandings } from './shown-landing.ts';

/** Files of one multi-file diff: opening a thousand took 3.3 s. */
const mostInDiff = 100;

/** What stands there now, and what is proposed; of a side that has no file, an empty document. */
function sidesOf(landings: ShownLandings, id: string, { path, proposal }: LandingFile): readonly [Uri, Uri] {
  const empty = landings.emptyUri(id, path);
  return [
    proposal.seen === null ? empty : landings.fileUri(path),
    proposal.content === null ? empty : landings.proposalUri(id, path),
  ];
}

export async function openChanges(landings: ShownLandings, file: LandingFile | undefined): Promise<void> {
  const { shown } = landings;
  if (file === undefined || shown === undefined) return;
  const { id } = shown.landing;
  if (!isUndecided(file)) {
    await openFile(landings, file);
    return;
  }
  const title = l10n.t('{0} (Yours ↔ Landing)', file.path.slice(file.path.lastIndexOf('/') + 1));
  await commands.executeCommand('vscode.diff', ...sidesOf(landings, id, file), title);
}

export async function openFile(landings: ShownLandings, file: LandingFile | undefined): Promise<void> {
  if (file === undefined) return;
  const isThere = isUndecided(file) ? file.proposal.seen !== null : true;
  if (isThere) await commands.executeCommand('vscode.open', landings.fileUri(file.path));
}

/** The whole patch, in parts that the editor can take. */
export async function viewAllChanges(landings: ShownLandings): Promise<void> {
  const { pending } = landings;
  if (pending !== undefined) await viewChanges(landings, [...pending.landing.files.values()]);
}

/** What of these files is undecided: of one its diff, of more a diff of all. */
export async function viewChanges(landings: ShownLandings, chosen: readonly LandingFile[]): Promise<void> {
  const { pending } = landings;
  if (pending === undefined) return;
  const { id } = pending.landing;
  const files = chosen.filter(isUndecided).toSorted((left, right) => (left.path < right.path ? -1 : 1));
  if (files.length === 1) {
    await openChanges(landings, files[0]);
    return;
  }
  const from = files.length > mostInDiff ? await choosePart(files) : 0;
  if (from === undefined) return;
  const part = files.slice(from, from + mostInDiff);
  await commands.executeCommand(
    'vscode.changes',
    titleOf(from, part.length, files.length),
    part.map(({ path, proposal }) => [
      landings.fileUri(path),
      proposal.seen === null ? undefined : landings.fileUri(path),
      proposal.content === null ? undefined : landings.proposalUri(id, path),
    ]),
  );
}

/** The editor adds how many files it shows. */
function titleOf(from: number, shown: number, whole: number): string {
  return shown < whole
    ? l10n.t('Landing: {0} to {1} of {2}', from + 1, from + shown, whole)
    : l10n.t('Landing');
}

async function choosePart(files: readonly LandingFile[]): Promise<number | undefined> {
  const parts = Array.from({ length: Math.ceil(files.length / mostInDiff) }, (_, index) => {
    const from = index * mostInDiff;
    const to = Math.min(from + mostInDiff, files.length);
    return {
      label: l10n.t('Files {0} to {1}', from + 1, to),
      description: `${files[from]?.path ?? ''} – ${files[to - 1]?.path ?? ''}`,
      from,
    };
  });
  const placeHolder = l10n.t('{0} files are shown in parts of {1}', files.length, mostInDiff);
  return (await window.showQuickPick(parts, { placeHolder }))?.from;
}
