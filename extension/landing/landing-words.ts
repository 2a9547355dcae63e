import { l10n } from 'vscode';
import type { LandingOutcome } from '#protocol/landing-api.ts';
import type { ApprovalNeed, LandingObstacle } from '#protocol/landing-events.ts';
import { isUndecided, type LandingFile } from '#protocol/projection-review.ts';

/** What a decision came to, also where only the host can know. */
export type HostOutcome =
  | LandingOutcome
  /** Saving it in an editor would change bytes that nobody has edited. */
  | { readonly path: string; readonly kind: 'unfaithful' };

export function obstacleText(obstacle: LandingObstacle): string {
  switch (obstacle) {
    case 'same-lines':
      return l10n.t('You and the build have changed the same lines');
    case 'binary':
      return l10n.t('You and the build have changed a file that has no lines to merge');
    case 'too-costly':
      return l10n.t('Your version and the build differ too much to be merged');
    case 'link':
      return l10n.t('You and the build have changed a symbolic link');
    case 'deleted-by-build':
      return l10n.t('The build deletes it, and you have changed it');
    case 'deleted-by-user':
      return l10n.t('You have deleted it, and the build changes it');
    case 'proposal-edited':
      return l10n.t('The newest build changes lines that you have edited in the proposal');
    case 'way-blocked':
      return l10n.t('Something else is in its place: a link, a folder, or a repository of its own');
    case 'read-only':
      return l10n.t('The file is read-only');
    case 'keeps-changing':
      return l10n.t('The file kept changing');
    default:
      obstacle satisfies never;
      return '';
  }
}

/** What the user must approve by name; undefined when they need not. */
export function needOf({ approval, linksTo }: Partial<ApprovalNeed>): ApprovalNeed | undefined {
  if (approval === undefined) return undefined;
  return linksTo === undefined ? { approval } : { approval, linksTo };
}

export function approvalText({ approval, linksTo }: ApprovalNeed): string {
  switch (approval) {
    case 'git':
      return l10n.t('git reads it');
    case 'editors':
      return l10n.t('editors obey it');
    case 'hook':
      return l10n.t('it is a hook');
    case 'coding-agents':
      return l10n.t('coding agents obey it');
    case 'continuous-integration':
      return l10n.t('continuous integration runs it');
    case 'tools':
      return l10n.t('tools and shells read it');
    case 'package-scripts':
      return l10n.t('its package scripts change');
    case 'link-outside':
      return linksTo === undefined
        ? l10n.t('it links out of the workspace')
        : l10n.t('it links to {0}', linksTo);
    case 'other':
      return l10n.t('other programs obey it');
    default:
      approval satisfies never;
      return '';
  }
}

/** Why nothing was done; undefined when it was. */
export function refusalText(outcome: HostOutcome): string | undefined {
  switch (outcome.kind) {
    case 'done':
      return undefined;
    case 'outdated':
      return l10n.t('The proposal has changed: look at it again');
    case 'needs-approval':
      return l10n.t('It needs your approval: {0}', approvalText(outcome));
    case 'obstacle':
      return obstacleText(outcome.obstacle);
    case 'failed':
      return failureText(outcome.code);
    case 'unfaithful':
      return l10n.t(
        'The editor would change more than the edit (mixed line ends, or another encoding): close the file, and accept it again',
      );
    default:
      outcome satisfies never;
      return '';
  }
}

function failureText(code: string): string {
  if (code === 'ENOSPC') return l10n.t('The disk is full');
  if (code === 'EACCES' || code === 'EPERM') return l10n.t('It may not be written');
  if (code === 'EROFS') return l10n.t('The file system is read-only');
  return l10n.t('It could not be written ({0})', code);
}

function changeText({ proposal }: LandingFile): string {
  const { content, seen, movedFrom } = proposal;
  if (movedFrom !== undefined) return l10n.t('Moved from {0}', movedFrom);
  if (content === null) return l10n.t('Deleted');
  if (seen === null) return l10n.t('Created');
  if (content.hash === seen.hash && content.mode !== seen.mode) {
    return content.mode === 'executable' ? l10n.t('Made executable') : l10n.t('No longer executable');
  }
  return l10n.t('Modified');
}

function decidedText(state: LandingFile['state']): string | readonly [] {
  switch (state) {
    case 'accepted':
      return l10n.t('Accepted');
    case 'discarded':
      return l10n.t('Discarded: your file stays as it is');
    case 'there':
      return l10n.t('Accepted: it stood there already');
    case 'pending':
    case 'conflict':
      return [];
    default:
      state satisfies never;
      return [];
  }
}

/** All that a row tells, for its tooltip and for screen readers. */
export function fileText(file: LandingFile): string {
  const { proposal, state, viewed } = file;
  const { obstacle, edited, kind } = proposal;
  const need = isUndecided(file) ? needOf(proposal) : undefined;
  return [
    decidedText(state),
    changeText(file),
    kind === 'binary' ? l10n.t('binary') : [],
    edited ? l10n.t('edited by you') : [],
    obstacle === undefined || !isUndecided(file) ? [] : l10n.t('Conflict: {0}', obstacleText(obstacle)),
    need === undefined ? [] : l10n.t('Needs your approval: {0}', approvalText(need)),
    viewed ? l10n.t('reviewed') : [],
  ]
    .flat()
    .join(' · ');
}
