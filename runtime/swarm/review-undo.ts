import type { LandingOutcome } from '#protocol/landing-api.ts';
import type { LandingReviewEvent } from '#protocol/landing-events.ts';
import { isUndecided, type LandingDecision } from '#protocol/projection-review.ts';
import { LandingError } from './landing-error.ts';
import { isSameSide, mergeSides, sideOf } from './landing-merge.ts';
import type { ReviewAcceptance } from './review-acceptance.ts';
import { isBusy, proposed, type ReviewParts } from './review-parts.ts';
import type { Sighted } from './review-proposals.ts';
import type { Content } from './workspace-files.ts';

export type AcceptedDecision = Extract<LandingDecision, { kind: 'accepted' }>;

/** What a file will hold once a decision on it is taken back. */
export type UndoPlan =
  | { readonly kind: 'back'; readonly content: Content }
  | { readonly kind: 'refused'; readonly outcome: LandingOutcome };

/** Takes decisions back: the before-image where the file is still ours, merged with what the user has done since otherwise. */
export class ReviewUndo {
  readonly #parts: ReviewParts;
  readonly #acceptance: ReviewAcceptance;

  constructor(parts: ReviewParts, acceptance: ReviewAcceptance) {
    this.#parts = parts;
    this.#acceptance = acceptance;
  }

  /** @throws LandingError `no-decision` */
  find(name: string): LandingDecision {
    const { decisions } = this.#parts.log.projection.review;
    const found = decisions.find((one) => one.decision === name);
    const newest = decisions.findLast((one) => one.path === found?.path);
    if (found && newest === found) return found;
    throw new LandingError('no-decision', 'it is not the newest decision on a file', { decision: name });
  }

  /** On the disk. */
  async undo(name: string): Promise<LandingOutcome> {
    const { log, proposals, contents } = this.#parts;
    const decision = this.find(name);
    const { path, landing, group } = decision;
    if (isBusy(log.projection.review, path)) return { path, kind: 'outdated' };
    const sighted = await proposals.look(path);
    if (decision.kind === 'discarded') return this.#takeBack(decision, 'undone', contentOf(sighted));
    const plan = await this.plan(decision, sighted);
    if (plan.kind === 'refused') return plan.outcome;
    if (sighted.kind === 'blocked') return { path, kind: 'obstacle', obstacle: 'way-blocked' };
    const [before, after] = [await contents.keep(sighted.content), sideOf(plan.content)];
    if (isSameSide(before, after)) return this.#takeBack(decision, 'undone', sighted.content);
    const intent = { type: 'landing.intended', step: 'undo', way: 'bytes', decision: name } as const;
    await log.publish({ ...intent, landing, group, path, before, after });
    const written = await this.#acceptance.put(path, sighted.found, plan.content);
    if (written === 'written') return this.#takeBack(decision, 'undone', plan.content);
    await log.publish({ type: 'landing.decided', landing, decision: name, path, outcome: 'given-up' });
    if (written === 'changed') return { path, kind: 'obstacle', obstacle: 'keeps-changing' };
    return { path, kind: 'failed', code: written.code };
  }

  async plan({ path, before, after }: AcceptedDecision, sighted: Sighted): Promise<UndoPlan> {
    const { contents } = this.#parts;
    if (sighted.kind === 'blocked') {
      return { kind: 'refused', outcome: { path, kind: 'obstacle', obstacle: 'way-blocked' } };
    }
    const merged = mergeSides(await contents.read(after), sighted.content, await contents.read(before));
    if (merged.kind === 'clean') return { kind: 'back', content: merged.content };
    return { kind: 'refused', outcome: { path, kind: 'obstacle', obstacle: merged.obstacle } };
  }

  /** Journals that a decision no longer holds, and proposes the file again; `seen` is what the user has now. */
  async takeBack(decision: LandingDecision, outcome: 'undone' | 'withdrawn', seen: Content): Promise<void> {
    const { log, proposals } = this.#parts;
    const { path, landing, decision: name } = decision;
    const taken: LandingReviewEvent = { type: 'landing.decided', landing, decision: name, path, outcome };
    const { review } = log.projection;
    const file = review.landing?.id === landing ? review.landing.files.get(path) : undefined;
    if (file === undefined || review.landing === undefined) {
      await log.publish(taken);
      return;
    }
    const draft = await proposals.reopened(path, file.proposal, seen);
    await log.publish(taken, proposed(review.landing, path, draft, 'reopened'));
  }

  async #takeBack(decision: LandingDecision, outcome: 'undone', seen: Content): Promise<LandingOutcome> {
    await this.takeBack(decision, outcome, seen);
    return { path: decision.path, kind: 'done' };
  }

  /** The decision by which the newest landing accepted the path. */
  acceptedAt(path: string): AcceptedDecision | undefined {
    const { landing, decisions } = this.#parts.log.projection.review;
    const file = landing?.files.get(path);
    if (file === undefined || isUndecided(file)) return undefined;
    const found = decisions.findLast((one) => one.path === path && one.landing === landing?.id);
    return found?.kind === 'accepted' ? found : undefined;
  }
}

function contentOf(sighted: Sighted): Content {
  return sighted.kind === 'seen' ? sighted.content : undefined;
}
