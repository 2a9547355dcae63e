import { describe, expect, it } from 'vitest';
import {
  cutToWidth,
  dollars,
  duration,
  oneLine,
  safeLines,
  shellQuote,
  spent,
  textWidth,
  tokenCount,
} from './text.ts';

describe('foreign text', () => {
  it('cannot move the cursor, ring, set a title or link', () => {
    const foreign =
      'a\u001b[2J\u001b]0;title\u0007b\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\\u0007\u009b31m\b';
    const shown = oneLine(foreign);
    expect(shown).toContain('link');
    expect(shown).not.toMatch(/\p{Cc}/u);
  });

  it('cannot turn the reading direction or hide characters', () => {
    expect(oneLine('a\u202eb\u2066c\u200bde')).toBe('abcde');
  });

  it('is one line, or lines that stay lines', () => {
    expect(oneLine('  one\r\n\ttwo\u2028three  ')).toBe('one two three');
    expect(safeLines('one\r\n\ttwo\u001b[1m!\rthree')).toEqual(['one', '  two!', 'three']);
  });
});

describe('widths', () => {
  it('counts wide and combining characters as a terminal does', () => {
    expect(textWidth('abc')).toBe(3);
    expect(textWidth('漢字')).toBe(4);
    expect(textWidth('e\u0301')).toBe(1);
  });

  it('cuts within the width', () => {
    expect(cutToWidth('abcdef', 6)).toBe('abcdef');
    expect(cutToWidth('abcdef', 4)).toBe('abc…');
    expect(textWidth(cutToWidth('漢字漢字', 4))).toBeLessThanOrEqual(4);
    expect(cutToWidth('abc', 0)).toBe('');
  });
});

it('never shows an unknown price as $0.00', () => {
  expect(spent({ usd: 0, unpricedCalls: 0 })).toBe('$0.00');
  expect(spent({ usd: 0, unpricedCalls: 1 })).toBe('1 call of unknown price');
  expect(spent({ usd: 0.12, unpricedCalls: 3 })).toBe('$0.120 + 3 calls of unknown price');
});

it('writes numbers as people do', () => {
  expect([duration(400), duration(59_600), duration(185_000), duration(7_620_000)]).toEqual([
    '0.4 s',
    '1 min 00 s',
    '3 min 05 s',
    '2 h 07 min',
  ]);
  expect([tokenCount(950), tokenCount(12_345), tokenCount(4_000_000)]).toEqual(['950', '12.3k', '4.0M']);
  expect([dollars(0), dollars(0.0042), dollars(0.25), dollars(12.5)]).toEqual([
    '$0.00',
    '$0.0042',
    '$0.250',
    '$12.50',
  ]);
});

it('quotes for the shell only what needs it', () => {
  expect(shellQuote('/tmp/a-b')).toBe('/tmp/a-b');
  expect(shellQuote("it's here")).toBe(String.raw`'it'\''s here'`);
});
