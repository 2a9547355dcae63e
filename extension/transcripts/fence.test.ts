import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { cutText, endOfTurns, fenced, plainWord } from './fence.ts';

test('whatever a text holds, it is one block of code', () => {
  const pieces = fc.constantFrom(
    '`',
    '```',
    '~~~',
    '\n',
    '\r',
    '\r\n',
    '![x](y)',
    '<img src=x>',
    '    ',
    '> ',
    'a',
    '````js',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const { children } = fromMarkdown(`before\n\n${fenced(parts.join(''), 'markdown')}\nafter\n`);
      expect(children.map(({ type }) => type)).toEqual(['paragraph', 'code', 'paragraph']);
    }),
  );
});

test('a short text is shown whole, and nothing is said to be left out', () => {
  expect(cutText('a\n'.repeat(100))).toEqual({ shown: 'a\n'.repeat(100), left: 0 });
});

test('a huge text is cut between lines, and it is told how much is left out', () => {
  const text = 'line of text\n'.repeat(100_000);
  const { shown, left } = cutText(text);
  expect(shown.endsWith('text\n')).toBe(true);
  expect(shown.length + left).toBe(text.length);
  expect(shown.length).toBeLessThanOrEqual(20_001);
});

test('a huge line is not cut within a character', () => {
  const { shown } = cutText(`x${'😀'.repeat(50_000)}`);
  expect(shown.isWellFormed()).toBe(true);
});

test('only a plain word stands where nothing holds it in', () => {
  expect(plainWord('write_file')).toBe('write_file');
  expect(plainWord('![x](http://example.com)')).toBeUndefined();
  expect(plainWord('a\n# b')).toBeUndefined();
  expect(plainWord('')).toBeUndefined();
});

test('the turns end at the rule that is none of what was quoted', () => {
  const lines =
    `# agent\n\n## Turn 1\n\n${fenced('---\n```\n---')}\n---\n\nIt is at work.\n\n## Instructions\n\n${fenced('---')}`.split(
      '\n',
    );
  expect(lines[endOfTurns(lines)]).toBe('It is at work.');
});

test('a text without turns ends where it ends', () => {
  expect(endOfTurns(['The store is gone.', ''])).toBe(1);
});
