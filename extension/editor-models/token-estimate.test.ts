import { expect, test } from 'vitest';
import { requestBytes, TokenEstimate } from './token-estimate.ts';

test('a model is trusted with less than it states: 128 K are known to be 80 K', () => {
  expect(new TokenEstimate(128_000).limit).toBeLessThan(80_000);
});

test('once a model has counted, its own measure is used', () => {
  const estimate = new TokenEstimate(1000);
  estimate.calibrate('x'.repeat(800), 200);
  expect(estimate.tokens(4000)).toBe(1000);
});

test('a count that no tokenizer comes to is not believed', () => {
  const estimate = new TokenEstimate(1000);
  const before = estimate.tokens(3500);
  for (const count of [0, Number.NaN, -1]) estimate.calibrate('x'.repeat(800), count);
  expect(estimate.tokens(3500)).toBe(before);
  estimate.calibrate('x'.repeat(800), 1);
  expect(estimate.tokens(800)).toBe(100);
});

test('an input that was refused is not tried again in that size', () => {
  const estimate = new TokenEstimate(100_000);
  estimate.refused(30_000);
  expect(estimate.limit).toBe(27_000);
  estimate.refused(50_000);
  expect(estimate.limit).toBe(27_000);
});

test('all that is sent counts: messages, calls and the descriptions of tools', () => {
  const bytes = requestBytes({
    messages: [
      { role: 'user', text: 'ää' },
      { role: 'assistant', text: 'b', toolCalls: [{ id: '1', name: 'cc', args: '{}' }] },
    ],
    tools: [{ name: 'd', description: 'ee', parameters: {} }],
  });
  expect(bytes).toBe(4 + 1 + 4 + 1 + 2 + 2);
});
