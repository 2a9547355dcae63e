import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '#protocol/models.ts';
import type { ToolSpec } from './chat-model.ts';
import { costOf, upperBound } from './cost.ts';

const price = { input: 2, cachedInput: 0.5, output: 8 };

describe('what a call costs', () => {
  it('is input, cached input and output at their own prices', () => {
    expect(costOf({ inputTokens: 3000, cachedInputTokens: 2000, outputTokens: 500 }, price)).toBe(0.007);
  });

  it('is dearer as a whole where the provider charges more for long prompts', () => {
    const long = { ...price, long: { tokens: 1000, inputTimes: 2, outputTimes: 1.5 } };
    const usage = { inputTokens: 1000, cachedInputTokens: 500, outputTokens: 100 };
    expect(costOf(usage, long)).toBe(costOf(usage, price));
    expect(costOf({ ...usage, inputTokens: 1001 }, long)).toBe((2 * (501 * 2 + 500 * 0.5) + 1200) / 1e6);
  });

  it('is rounded up to the next micro-dollar, and not for an error of the arithmetic', () => {
    const tenth = { input: 0.1, cachedInput: 0.1, output: 0.07 };
    expect(costOf({ inputTokens: 3, cachedInputTokens: 0, outputTokens: 0 }, tenth)).toBe(0.000001);
    expect(costOf({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 100 }, tenth)).toBe(0.000007);
    expect(costOf({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }, tenth)).toBe(0);
  });
});

const messages: readonly ChatMessage[] = [
  { role: 'system', text: 'Grüße' },
  { role: 'assistant', text: '', toolCalls: [{ id: 'id', name: 'read_file', args: '{"path":"ä"}' }] },
  { role: 'tool', callId: 'id', text: '日本' },
];
const tools: readonly ToolSpec[] = [
  { name: 'read_file', description: 'reads', parameters: { type: 'object' } },
];

describe('the upper bound of a call', () => {
  it('counts every byte of what is sent, and the whole output cap', () => {
    const bytes = 7 + (2 + 9 + 13) + (2 + 6) + (9 + 5 + 17);
    const around = 64 + 3 * 16 + 16 + 32;
    expect(upperBound({ messages, tools, maxOutputTokens: 1000 }, price)).toEqual({
      tokens: bytes + around + 1000,
      usd: costOf({ inputTokens: bytes + around, cachedInputTokens: 0, outputTokens: 1000 }, price),
    });
  });

  it('has no dollars without a price', () => {
    expect(upperBound({ messages, tools, maxOutputTokens: 10 }, null).usd).toBeNull();
  });

  it('covers any usage within it, cached or not', () => {
    const amount = fc.double({ min: 0, max: 100, noNaN: true });
    const times = fc.double({ min: 1, max: 10, noNaN: true });
    const long = fc.record({ tokens: fc.nat(200), inputTimes: times, outputTimes: times });
    const prices = fc.record(
      { input: amount, cachedInput: amount, output: amount, long },
      { requiredKeys: ['input', 'cachedInput', 'output'] },
    );
    fc.assert(
      fc.property(
        prices,
        fc.string({ unit: 'binary' }),
        fc.nat(500),
        fc.nat(100),
        (paid, text, output, part) => {
          const bound = upperBound(
            { messages: [{ role: 'user', text }], tools: [], maxOutputTokens: 500 },
            paid,
          );
          const inputTokens = bound.tokens - 500;
          const cachedInputTokens = Math.floor((inputTokens * part) / 100);
          expect(costOf({ inputTokens, cachedInputTokens, outputTokens: output }, paid)).toBeLessThanOrEqual(
            bound.usd ?? 0,
          );
        },
      ),
    );
  });
});
