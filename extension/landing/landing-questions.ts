import { l10n, window } from 'vscode';
import type { LandingDecision, LandingFile } from '#protocol/projection-review.ts';
import { plainText } from '../plain-text.ts';
import { approvalText, needOf, obstacleText, refusalText, type HostOutcome } from './landing-words.ts';

/** Names that a message lists; the others are counted. */
const mostNames = 10;

/** Files of a command that is undone without a question. */
const mostUndone = 10;

function listed(lines: readonly string[]): string {
  const more = lines.length - mostNames;
  const named = lines.slice(0, mostNames);
  return [...named, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('\n');
}

function whyApproved(proposal: LandingFile['proposal']): readonly string[] {
  const need = needOf(proposal);
  return need === undefined ? [] : [approvalText(need)];
}

/**
 * Paths among the files that the user approves, each named with the reason why it is asked for. Undefined when the user
 * calls the whole off, also to look at the changes first: that is what the Enter key does, so that it never approves.
 */
export async function approvalsFor(
  files: readonly LandingFile[],
  look: (files: readonly LandingFile[]) => Promise<void>,
): Promise<readonly string[] | undefined> {
  const asking = files.filter(({ proposal }) => proposal.approval !== undefined);
  if (asking.length === 0) return [];
  const detail = plainText(
    listed(asking.map(({ path, proposal }) => `${path}: ${whyApproved(proposal).join()}`)),
  );
  const approve = asking.length === 1 ? l10n.t('Approve and Accept') : l10n.t('Approve and Accept All');
  const others = l10n.t('Accept the Others Only');
  const text =
    asking.length === 1
      ? l10n.t('Other programs obey this file. Accept it?')
      : l10n.t('Other programs obey {0} of these files. Accept them?', asking.length);
  const show = l10n.t('Show Changes');
  const answers = [show, ...(files.length > asking.length ? [others] : []), approve];
  const chosen = await window.showWarningMessage(text, { modal: true, detail }, ...answers);
  if (chosen === show) await look(asking);
  if (chosen === approve) return asking.map(({ path }) => path);
  return chosen === others ? [] : undefined;
}

/** The Enter key shows the changes here, too. */
export async function confirmReplace(
  files: readonly LandingFile[],
  look: (files: readonly LandingFile[]) => Promise<void>,
): Promise<boolean> {
  const show = l10n.t('Show Changes');
  const replace = l10n.t('Replace My Version');
  const lines = files.map(({ path, proposal }) => {
    const { obstacle } = proposal;
    const reasons = [obstacle === undefined ? [] : obstacleText(obstacle), whyApproved(proposal)].flat();
    return `${path}: ${reasons.join('; ')}`;
  });
  const kept = l10n.t('What you have is kept: "Undo Last Decision" brings it back.');
  const detail = plainText(`${listed(lines)}\n\n${kept}`);
  const text = l10n.t('Replace your version by what the build proposes?');
  const chosen = await window.showWarningMessage(text, { modal: true, detail }, show, replace);
  if (chosen === show) await look(files);
  return chosen === replace;
}

/** Asks before an undo changes many files. */
export async function confirmUndo(decisions: readonly LandingDecision[]): Promise<boolean> {
  if (decisions.length <= mostUndone) return true;
  const changed = decisions.filter(({ kind }) => kind === 'accepted').length;
  const undo = l10n.t('Undo');
  const text = l10n.t('Undo the decision on {0} files?', decisions.length);
  const detail =
    changed === 0
      ? l10n.t('Your files stay as they are.')
      : l10n.t('{0} of your files change back to what they were. What you changed since stays.', changed);
  return (await window.showWarningMessage(text, { modal: true, detail }, undo)) === undo;
}

/** Says that all was decided; true when the user wants it back. */
export async function tellWhole(kind: 'accepted' | 'discarded', count: number): Promise<boolean> {
  const undo = l10n.t('Undo');
  return (await window.showInformationMessage(wholeText(kind, count), undo)) === undo;
}

function wholeText(kind: 'accepted' | 'discarded', count: number): string {
  if (kind === 'accepted') {
    return count === 1 ? l10n.t('1 file accepted.') : l10n.t('{0} files accepted.', count);
  }
  return count === 1 ? l10n.t('1 file discarded.') : l10n.t('{0} files discarded.', count);
}

/** Says what was not done, and why; silent when all was. */
export function report(outcomes: readonly HostOutcome[]): void {
  const refused = outcomes.flatMap((outcome) => {
    const why = refusalText(outcome);
    return why === undefined ? [] : [{ path: outcome.path, why }];
  });
  const [first] = refused;
  if (first === undefined) return;
  const text =
    refused.length === 1
      ? `${first.path}: ${first.why}.`
      : l10n.t(
          '{0} of {1} files were left alone. {2}: {3}.',
          refused.length,
          outcomes.length,
          first.path,
          first.why,
        );
  void window.showWarningMessage(plainText(text));
}
