import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFirstLine, parseFirstLine } from './first-line.ts';

describe('the first line of a tool result', () => {
  it('writes plain values as they are and others as JSON strings', () => {
    expect(formatFirstLine({ outcome: 'merged', files: 3, merged: 'src/a.js,src/b.js' })).toBe(
      'outcome=merged files=3 merged=src/a.js,src/b.js',
    );
    expect(formatFirstLine({ outcome: 'invalid', problem: 'no "old"\nin it', hint: '' })).toBe(
      String.raw`outcome=invalid problem="no \"old\"\nin it" hint=""`,
    );
  });

  it('is read up to the first line break', () => {
    expect(parseFirstLine('lines=1-40 of=120\nlines=2')).toEqual(
      new Map([
        ['lines', '1-40'],
        ['of', '120'],
      ]),
    );
  });

  it('keeps every value', () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
    fc.assert(
      fc.property(fc.dictionary(key, fc.string({ unit: 'binary' }), { minKeys: 1 }), (pairs) => {
        const line = formatFirstLine(pairs);
        expect(line).not.toContain('\n');
        expect(parseFirstLine(`${line}\nbody`)).toEqual(new Map(Object.entries(pairs)));
      }),
    );
  });

  it.each([
    '',
    'prose and no pairs',
    'a=1 a=2',
    'a="open',
    'a=1  b=2',
    'a=1 ',
    'a=',
    'A=1',
    String.raw`a="\x"`,
  ])('is refused when it is %j', (line) => {
    expect(parseFirstLine(line)).toBeUndefined();
  });
});
