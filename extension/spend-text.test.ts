import { expect, test } from 'vitest';
import type { Spend } from '#protocol/projection-ledger.ts';
import { dollarText, spendText } from './spend-text.ts';

function text(spend: Partial<Spend>): string {
  const usage = { inputTokens: 11_000, cachedInputTokens: 0, outputTokens: 1_345 };
  const full: Spend = { calls: 2, usage, usd: 0, unpricedCalls: 0, ...spend };
  return spendText(full, 'en', (tokens) => `${tokens} tokens`);
}

test('dollars are shown in cents', () => {
  expect(text({ usd: 1.234 })).toBe('$1.23');
});

test('less than a cent is not shown as nothing', () => {
  expect(dollarText(0.0001, 'en')).toBe('<$0.01');
  expect(dollarText(0, 'en')).toBe('$0.00');
});

test('calls without a price are not shown as free', () => {
  expect(text({ unpricedCalls: 2 })).toBe('12.3K tokens');
  expect(text({ usd: 0.5, unpricedCalls: 1 })).toBe('$0.50+');
});

test('tokens that a model did not tell are shown as a guess', () => {
  const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 0, estimated: true } as const;
  expect(text({ unpricedCalls: 2, usage })).toBe('~1K tokens');
});

test('nothing is said of a task that has called nothing', () => {
  expect(text({ calls: 0 })).toBe('');
});
