import { expect, it } from 'vitest';
import type { LandingReviewEvent, Proposal } from './landing-events.ts';
import { goingFirst, withPartners } from './landing-partners.ts';
import { fold, tree } from './projection-samples.ts';
import type { LandingReview } from './projection-review.ts';

const landing = 'r1-1';
const side = { hash: 'h1', mode: 'file', size: 1 } as const;

function proposed(path: string, changed: Partial<Proposal>): LandingReviewEvent {
  const content = { base: null, trunk: side, file: null, seen: null, content: side } as const;
  const proposal: Proposal = { version: 1, ...content, kind: 'text', edited: false, ...changed };
  return { type: 'landing.proposed', landing, path, cause: 'offered', proposal };
}

/** `old.js` has been moved to `new.js`; `other.js` has nothing to do with it. */
function moved(...more: readonly LandingReviewEvent[]): LandingReview {
  const state = fold(
    ...tree,
    { type: 'landing.offered', landing, green: 'c0', verified: true },
    proposed('new.js', { movedFrom: 'old.js' }),
    proposed('other.js', {}),
    proposed('old.js', { content: null, trunk: null, seen: side }),
    ...more,
  );
  if (state.review.landing === undefined) throw new Error('nothing is offered');
  return state.review.landing;
}

it.each(['new.js', 'old.js'])('%s brings the other half of its move', (path) => {
  const paths = withPartners(moved(), [{ path, version: 1 }]).map((one) => one.path);
  expect(paths.toSorted()).toEqual(['new.js', 'old.js']);
});

it('a file that was not moved is decided alone', () => {
  expect(withPartners(moved(), [{ path: 'other.js', version: 1 }])).toHaveLength(1);
});

it('a half that is decided already stays so, and the version that was shown is kept', () => {
  const decided = { type: 'landing.decided', landing, decision: 'd1', path: 'old.js' } as const;
  const half = moved({ ...decided, outcome: 'discarded', group: 'g', trunk: null });
  expect(withPartners(half, [{ path: 'new.js', version: 7 }])).toEqual([{ path: 'new.js', version: 7 }]);
});

it('what is deleted goes first', () => {
  const targets = ['new.js', 'other.js', 'old.js'].map((path) => ({ path, version: 1 }));
  expect(goingFirst(moved(), targets).map(({ path }) => path)).toEqual(['old.js', 'new.js', 'other.js']);
});
