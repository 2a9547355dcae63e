import type { LandedFile } from '#protocol/events.ts';
import type { ApprovalNeed } from '#protocol/landing-events.ts';

export type WaitingFile = Extract<LandedFile, { result: 'waits' }>;

/** The path waits until the user approves it by name. */
export function needsApproval({ approval, reason }: WaitingFile): boolean {
  // Journals of the first versions hold the whole sentence.
  return approval !== undefined || reason.endsWith('needs your approval');
}

/** Why a file waits. */
export function waitingReason({ approval, linksTo, reason }: WaitingFile): string {
  if (approval === undefined) return reason;
  return `${approvalWords({ approval, ...(linksTo === undefined ? {} : { linksTo }) })}; it needs your approval`;
}

function approvalWords({ approval, linksTo }: ApprovalNeed): string {
  switch (approval) {
    case 'git':
      return 'git reads it';
    case 'editors':
      return 'editors obey it';
    case 'hook':
      return 'it is a hook';
    case 'coding-agents':
      return 'coding agents obey it';
    case 'continuous-integration':
      return 'continuous integration runs it';
    case 'tools':
      return 'tools and shells read it';
    case 'package-scripts':
      return 'its package scripts change';
    case 'link-outside':
      return linksTo === undefined ? 'it links out of the workspace' : `it links to ${linksTo}`;
    case 'other':
      return 'other programs obey it';
    default:
      approval satisfies never;
      return 'other programs obey it';
  }
}
