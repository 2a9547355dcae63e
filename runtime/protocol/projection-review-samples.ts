import * as fc from 'fast-check';
import type { LandingReviewEvent, Proposal, Side } from './landing-events.ts';

const small = fc.integer({ min: 1, max: 3 });
const landing = fc.constantFrom('r1-1', 'r1-2');
const path = fc.constantFrom('a.js', 'b.js');
const side = fc.constantFrom<Side>(
  null,
  { hash: 'h1', mode: 'file', size: 1 },
  { hash: 'h2', mode: 'file', size: 2 },
);
const decision = fc.constantFrom('d1', 'd2', 'd3');

function proposalOf(version: number, file: Side, content: Side): Proposal {
  return { version, base: file, trunk: content, file, seen: file, content, kind: 'text', edited: false };
}

/** Events of reviews; most of them are impossible at most moments. */
export const ofReview: fc.Arbitrary<LandingReviewEvent> = fc.oneof(
  fc.record({
    landing,
    type: fc.constantFrom('landing.offered', 'landing.refreshed'),
    green: fc.constant('c0'),
    verified: fc.constant(true),
  }),
  fc.tuple(landing, path, small, side, side).map(([id, at, version, file, content]): LandingReviewEvent => ({
    type: 'landing.proposed',
    landing: id,
    path: at,
    cause: 'offered',
    proposal: proposalOf(version, file, content),
  })),
  fc.record({ landing, path, version: small, viewed: fc.boolean(), type: fc.constant('landing.viewed') }),
  fc.record({
    landing,
    path,
    decision,
    before: side,
    after: side,
    step: fc.constantFrom('accept', 'undo'),
    way: fc.constantFrom('bytes', 'editor'),
    group: fc.constant('g'),
    type: fc.constant('landing.intended'),
  }),
  fc.record({
    landing,
    path,
    decision,
    before: side,
    after: side,
    trunk: side,
    group: fc.constant('g'),
    outcome: fc.constant('accepted'),
    type: fc.constant('landing.decided'),
  }),
  fc.record({
    landing,
    path,
    decision,
    trunk: side,
    group: fc.constant('g'),
    outcome: fc.constant('discarded'),
    type: fc.constant('landing.decided'),
  }),
  fc.record({
    landing,
    path,
    decision,
    outcome: fc.constantFrom('undone', 'withdrawn', 'given-up'),
    type: fc.constant('landing.decided'),
  }),
);

/** A review with a file that is proposed, so that later events of it are possible. */
export const reviewed: readonly LandingReviewEvent[] = [
  { type: 'landing.offered', landing: 'r1-1', green: 'c0', verified: true },
  {
    type: 'landing.proposed',
    landing: 'r1-1',
    path: 'a.js',
    cause: 'offered',
    proposal: proposalOf(1, null, { hash: 'h1', mode: 'file', size: 1 }),
  },
];
