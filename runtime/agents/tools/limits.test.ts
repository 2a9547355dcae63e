import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { byteLength, cutMiddle, joinCapped, prefixOfBytes } from './limits.ts';

test('a text that is too long keeps its beginning and its end, and says how much is left out', () => {
  expect(cutMiddle('short', 100)).toBe('short');
  const cut = cutMiddle(`begin${'x'.repeat(1000)}end`, 200);
  expect(cut).toMatch(/^beginx+\n\[888 bytes left out\]\nx+end$/);
});

test('a cut text has at most the bytes it may have, and no broken character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 100, maxLength: 400 }), (text) => {
      const cut = cutMiddle(text, 150);
      expect(byteLength(cut)).toBeLessThanOrEqual(150);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test('a prefix splits no character', () => {
  expect(prefixOfBytes('é😀x', 5)).toBe('é');
  expect(prefixOfBytes('é😀x', 6)).toBe('é😀');
  expect(prefixOfBytes('abc', 0)).toBe('');
});

test('a long list names its first items and counts the rest', () => {
  expect(joinCapped(['a', 'b', 'c'], 3)).toBe('a, b, c');
  expect(joinCapped(['a', 'b', 'c'], 2, ',')).toBe('a,b,+1');
});
