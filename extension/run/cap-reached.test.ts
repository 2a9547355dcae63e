import { describe, expect, it } from 'vitest';
import { capReached, raisedCap, readRaise } from './cap-reached.ts';

const caps = { tasks: 200, depth: 6, concurrency: 8, usd: 5, tokens: 1000, minutes: 30 };

describe('a cap that was reached', () => {
  it.each([
    ['the cap on usd is reached: the next call may need 0.4 usd, and 0.1 are left', 'usd'],
    ['the cap on tokens is reached: the next call may need 9000 tokens, and 10 are left', 'tokens'],
    ['the cap of 30 minutes is reached', 'minutes'],
    ['conflicts accelerate', undefined],
    [undefined, undefined],
  ])('%s: %s', (braked, cap) => {
    expect(capReached({ braked, caps })).toBe(cap);
  });

  it('is proposed doubled', () => {
    expect(raisedCap('usd', { ...caps, usd: 0.07 })).toBe(0.14);
    expect(raisedCap('tokens', caps)).toBe(2000);
  });

  it('is raised only by a number above it', () => {
    expect(readRaise('$7.50', 'usd', caps)).toBe(7.5);
    expect(readRaise('1500.9', 'tokens', caps)).toBe(1500);
    for (const text of ['5', '4', '', 'ten', '-7', 'Infinity'])
      expect(readRaise(text, 'usd', caps)).toBeUndefined();
  });
});
