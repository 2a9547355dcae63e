import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimalEdits, type LineEdit } from './minimal-edits.ts';
import { lineEndsOf, linesOf } from './text-lines.ts';

/** As an editor does it: all ranges are of the text before. */
function applied(text: string, edits: readonly LineEdit[], lineEnd: string): string {
  const lines = linesOf(text);
  const offset = ([line, character]: LineEdit['start']): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + lineEnd.length, 0) + character;
  // At one place, they stand in their order.
  return edits
    .toReversed()
    .toSorted((left, right) => offset(right.start) - offset(left.start))
    .reduce(
      (now, { start, end, text: put }) => now.slice(0, offset(start)) + put + now.slice(offset(end)),
      text,
    );
}

/** Every second line is the same in all of them. */
function longText(name: string): string {
  return Array.from({ length: 10_000 }, (_, line) => `${line % 2 === 0 ? name : ''} ${line}`).join('\n');
}

describe('minimal edits', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', '', '}', '  x'), { maxLength: 12 });

  it('make one text of any other, with either line end', () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('\n', '\r\n'), (old, now, end) => {
        const [before, after] = [old.join(end), now.join(end)];
        expect(applied(before, minimalEdits(before, after, end), end)).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('touch only the lines that differ', () => {
    const before = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
    const after = before.replace('line 7', 'seven').replace('line 40\n', '');
    expect(minimalEdits(before, after, '\n')).toEqual([
      { start: [7, 0], end: [7, 6], text: 'seven' },
      { start: [40, 0], end: [41, 0], text: '' },
    ]);
  });

  it('of equal texts are none', () => {
    expect(minimalEdits('a\nb', 'a\nb', '\n')).toEqual([]);
  });

  it('of long texts that differ in many places are one, since more would take too long', () => {
    expect(minimalEdits(longText('a'), longText('b'), '\n')).toHaveLength(1);
  });
});

describe('line ends', () => {
  it.each([
    ['a\nb\n', 'lf'],
    ['a\r\nb\r\n', 'crlf'],
    ['a\r\nb\n', 'mixed'],
    ['a\rb\n', 'mixed'],
    ['a', 'none'],
    ['', 'none'],
  ])('of %j are %s', (text, expected) => {
    expect(lineEndsOf(text)).toBe(expected);
  });
});
