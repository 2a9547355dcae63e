import { expect, test } from 'vitest';
import { stepPlace } from './step-count.ts';

test('the steps that are shown are numbered without a gap', () => {
  const answers = { isFree: true };
  const steps = [{}, { isAsked: () => !answers.isFree }, {}];
  expect(stepPlace(steps, 0)).toEqual({ step: 1, totalSteps: 2 });
  expect(stepPlace(steps, 2)).toEqual({ step: 2, totalSteps: 2 });
  answers.isFree = false;
  expect(stepPlace(steps, 2)).toEqual({ step: 3, totalSteps: 3 });
});
