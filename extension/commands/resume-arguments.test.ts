import { expect, it } from 'vitest';
import { parseResumeArguments } from './resume-arguments.ts';

it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [0], [-1], ['5']])(
  'a budget of %s is none: the one that the run has holds',
  (budgetUsd) => {
    expect(parseResumeArguments({ store: '/store', budgetUsd })).toEqual({ store: '/store' });
  },
);

it('what is understood is taken, and nothing else', () => {
  const models = { worker: 'openai/gpt-5.4-mini' };
  const given = { store: '/store', models, budgetUsd: 2, choose: 'budget', spec: 'x.md' };
  expect(parseResumeArguments(given)).toEqual({ store: '/store', models, budgetUsd: 2, choose: 'budget' });
  expect(parseResumeArguments({ models: { worker: 'no provider' }, choose: 'all' })).toEqual({});
  expect(parseResumeArguments(['/store'])).toEqual({});
});
