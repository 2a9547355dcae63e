import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEventBody } from './events.ts';
import { ProjectionError } from './projection-error.ts';
import { ofReview, reviewed } from './projection-review-samples.ts';
import { fold, numbered, tree } from './projection-samples.ts';
import type { RunProjection } from './projection.ts';

/** What the fold refuses did not happen. */
function folded(events: readonly RunEventBody[]): RunProjection {
  const state = fold(...tree, ...reviewed);
  for (const body of events) {
    try {
      for (const event of numbered([body], state.version + 1)) state.apply(event);
    } catch (error) {
      if (!ProjectionError.is(error)) throw error;
    }
  }
  return state;
}

describe('a review, whatever happens', () => {
  const story = fc.array(ofReview, { minLength: 30, maxLength: 200 }).map(folded);

  it('counts the files that wait for the user', () => {
    fc.assert(
      fc.property(story, ({ review: { landing } }) => {
        const files = [...(landing?.files.values() ?? [])];
        const waiting = files.filter(({ state }) => state === 'pending' || state === 'conflict');
        expect(landing?.undecided).toBe(waiting.length);
      }),
      { numRuns: 200 },
    );
  });

  it('has a decision for each file that is decided, and what was accepted has landed', () => {
    fc.assert(
      fc.property(story, ({ review, landedHashes }) => {
        const { landing, decisions, discarded } = review;
        const decided = [...(landing?.files.values() ?? [])].filter(({ state }) =>
          ['accepted', 'discarded'].includes(state),
        );
        const newest = decided.map(
          ({ path }) => decisions.findLast((one) => one.path === path && one.landing === landing?.id)?.kind,
        );
        expect(newest).toEqual(decided.map(({ state }) => state));
        const accepted = decisions.filter(({ kind }) => kind === 'accepted');
        expect(accepted.filter(({ path }) => !landedHashes.has(path))).toEqual([]);
        const kept = decisions.filter(({ kind }) => kind === 'discarded').map(({ path }) => path);
        expect(new Set(discarded.keys())).toEqual(new Set(kept));
      }),
      { numRuns: 200 },
    );
  });

  it('takes one step at a time on a file, and only on one that waits or was accepted', () => {
    fc.assert(
      fc.property(story, ({ review: { landing, intents } }) => {
        const steps = [...intents.values()];
        expect(new Set(steps.map(({ path }) => path)).size).toBe(steps.length);
        const accepting = steps.filter(({ step }) => step === 'accept');
        expect(accepting.map(({ path }) => landing?.files.get(path)?.state)).toEqual(
          accepting.map(() => 'pending'),
        );
      }),
      { numRuns: 200 },
    );
  });
});

it('a decision that is taken back leaves on record what was landed before', () => {
  const [base, trunk] = [null, { hash: 'h1', mode: 'file', size: 1 } as const];
  const at = { landing: 'r1-1', path: 'a.js', decision: 'd1' };
  const accepted: readonly RunEventBody[] = [
    { type: 'landing.intended', ...at, step: 'accept', way: 'bytes', group: 'g', before: base, after: trunk },
    { type: 'landing.decided', ...at, outcome: 'accepted', group: 'g', before: base, after: trunk, trunk },
  ];
  const state = fold(...tree, ...reviewed, ...accepted);
  expect([...state.landedHashes]).toEqual([['a.js', 'h1']]);
  expect(state.review.landing?.undecided).toBe(0);
  const undone = fold(...tree, ...reviewed, ...accepted, {
    type: 'landing.decided',
    ...at,
    outcome: 'withdrawn',
  });
  expect([...undone.landedHashes]).toEqual([]);
  expect(undone.review).toMatchObject({ decisions: [], landing: { undecided: 1 } });
});
