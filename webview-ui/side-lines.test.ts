import { describe, expect, it } from 'vitest';
import { sideLines } from './side-lines.ts';

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const shown = (text: string, ...others: readonly string[]): readonly string[] =>
  sideLines(text, others).map((line) =>
    line.kind === 'gap' ? `(${line.lines})` : `${line.number}${line.isChanged ? '*' : ''}`,
  );

describe('a side of a conflict', () => {
  it('shows what it changed with three lines around, and how much lies between', () => {
    const side = numbered(20).replace('line 10\n', 'other\n');
    expect(shown(side, numbered(20))).toEqual(['(6)', '7', '8', '9', '10*', '11', '12', '13', '(7)']);
  });

  it('shows the place where the other text has more, without a mark', () => {
    const more = numbered(20).replace('line 10\n', 'line 10\nnew\n');
    expect(shown(numbered(20), more)).toEqual(['(7)', '8', '9', '10', '11', '12', '13', '14', '(6)']);
  });

  it('is whole when there is nothing to compare it with, or no difference', () => {
    expect(shown('a\nb\n')).toEqual(['1', '2']);
    expect(shown('a\nb', 'a\nb')).toEqual(['1', '2']);
    expect(shown('')).toEqual([]);
  });

  it('marks what either of two texts changed', () => {
    const [left, right] = ['a\nB\nc\nd\n', 'a\nb\nc\nD\n'];
    expect(shown('a\nb\nc\nd\n', left, right)).toEqual(['1', '2*', '3', '4*']);
  });

  it('does not look for differences between very long texts', () => {
    const lines = sideLines(numbered(9000), [numbered(10)]);
    expect(lines).toHaveLength(9000);
    expect(lines.every((line) => line.kind === 'line' && !line.isChanged)).toBe(true);
  });
});
