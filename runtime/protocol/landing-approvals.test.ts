import { expect, it } from 'vitest';
import type { LandingReviewEvent } from './landing-events.ts';
import { reviewed } from './projection-review-samples.ts';
import { fold, tree } from './projection-samples.ts';
import { RunProjection } from './projection.ts';

/** Of a journal, which is JSON. */
function proposedWith(need: object): readonly LandingReviewEvent[] {
  const text = JSON.stringify(reviewed, (key, value: unknown) =>
    key === 'proposal' && typeof value === 'object' ? { ...value, ...need } : value,
  );
  const events: readonly LandingReviewEvent[] = JSON.parse(text);
  return events;
}

it.each([
  ['git reads it', { approval: 'git' }],
  ['editors obey it', { approval: 'editors' }],
  ['it is a hook', { approval: 'hook' }],
  ['coding agents obey it', { approval: 'coding-agents' }],
  ['continuous integration runs it', { approval: 'continuous-integration' }],
  ['tools and shells read it', { approval: 'tools' }],
  ['its package scripts change', { approval: 'package-scripts' }],
  ['it links to ../../etc/passwd', { approval: 'link-outside', linksTo: '../../etc/passwd' }],
  ['a reason of a later version', { approval: 'other' }],
  ['coding-agents', { approval: 'coding-agents' }],
])('an approval that a journal calls "%s" is folded', (approval, need) => {
  const state = fold(...tree, ...proposedWith({ approval }));
  expect(state.review.landing?.files.get('a.js')?.proposal).toMatchObject(need);
});

it('where a link leads stays, also in a snapshot', () => {
  const need = { approval: 'link-outside', linksTo: '/etc/passwd' };
  const state = fold(...tree, ...proposedWith(need));
  const restored = RunProjection.restore(state.snapshot());
  expect(restored.review.landing?.files.get('a.js')?.proposal).toMatchObject(need);
});

it('what needs no approval has no reason', () => {
  const state = fold(...tree, ...reviewed);
  expect(state.review.landing?.files.get('a.js')?.proposal).not.toHaveProperty('approval');
});
