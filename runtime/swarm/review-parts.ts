import type { LandingReviewEvent, Proposal, ProposalCause, Side } from '#protocol/landing-events.ts';
import type { LandingReview as Landing, ReviewState } from '#protocol/projection-review.ts';
import { LandingError } from './landing-error.ts';
import type { EventLog } from './event-log.ts';
import type { LandingSides } from './landing-sides.ts';
import type { ReviewContents } from './review-contents.ts';
import type { Draft, ReviewProposals } from './review-proposals.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** What the steps of a review share. */
export interface ReviewParts {
  readonly log: EventLog;
  readonly sides: LandingSides;
  readonly files: WorkspaceFiles;
  readonly contents: ReviewContents;
  readonly proposals: ReviewProposals;
  /** Decisions whose edit an editor has been told, and that it has not ended. */
  readonly editing: Set<string>;
}

/** A step on the file is under way: in an editor, which has not ended it. */
export function isBusy(review: ReviewState, path: string): boolean {
  return [...review.intents.values()].some((intent) => intent.path === path);
}

/** @throws LandingError `no-landing` */
export function landingOf(review: ReviewState, id: string): Landing {
  if (review.landing?.id === id) return review.landing;
  throw new LandingError('no-landing', 'another landing is under review', { landing: id });
}

export function proposed(
  landing: Pick<Landing, 'id' | 'files'>,
  path: string,
  draft: Draft,
  cause: ProposalCause,
  above = 0,
): LandingReviewEvent {
  const version = Math.max(landing.files.get(path)?.proposal.version ?? 0, above) + 1;
  return { type: 'landing.proposed', landing: landing.id, path, cause, proposal: { ...draft, version } };
}

/** The name of the next decision; `ahead` counts those that are named and not yet published. */
export function decisionName(review: ReviewState, ahead: number): string {
  return `d${review.decided + ahead + 1}`;
}

/** What the review may still need. */
export function hashesIn(review: ReviewState): ReadonlySet<string> {
  const sides: (Side | undefined)[] = [];
  const add = ({ base, trunk, file, seen, content }: Proposal): void => {
    sides.push(base, trunk, file, seen, content);
  };
  for (const file of review.landing?.files.values() ?? []) add(file.proposal);
  for (const one of review.decisions)
    if (one.kind === 'accepted') sides.push(one.before, one.after, one.unsaved);
  for (const intent of review.intents.values()) sides.push(intent.before, intent.after);
  return new Set(sides.flatMap((side) => side?.hash ?? []));
}
