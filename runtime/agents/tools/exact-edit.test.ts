import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { editExactly } from './exact-edit.ts';

function edited(text: string, old: string, replacement: string): string {
  const edit = editExactly(text, old, replacement);
  if (edit.kind === 'refused') throw new Error(edit.problem);
  return edit.text;
}

function problem(text: string, old: string, replacement = 'new'): string {
  const edit = editExactly(text, old, replacement);
  return edit.kind === 'refused' ? `${edit.problem} | ${edit.hint}` : 'edited';
}

describe('an exact edit', () => {
  test('replaces the one place where the old text stands', () => {
    expect(edited('let a = 1;\nlet b = 2;\n', 'b = 2', 'b = 3')).toBe('let a = 1;\nlet b = 3;\n');
  });

  test('may delete, and may insert', () => {
    expect(edited('a\nb\nc\n', 'b\n', '')).toBe('a\nc\n');
    expect(edited('a\nc\n', 'a\n', 'a\nb\n')).toBe('a\nb\nc\n');
  });

  test('keeps a final line end, or its absence', () => {
    expect(edited('a\nb', 'b', 'b\nc')).toBe('a\nb\nc');
    expect(edited('a\r\nb', 'b', 'b\nc')).toBe('a\r\nb\r\nc');
  });

  test('matches LF against CRLF and writes CRLF back', () => {
    expect(edited('a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nx\ny\n')).toBe('a\r\nx\r\ny\r\nc\r\n');
  });

  test('matches CRLF against LF and writes LF back', () => {
    expect(edited('a\nb\n', 'a\r\nb\r\n', 'a\r\nx\r\n')).toBe('a\nx\n');
  });

  test('touches no line end of a mixed file but those of the lines it replaces', () => {
    const text = 'one\ntwo\r\nthree\nfour\r\n';
    expect(edited(text, 'two\nthree\n', 'two\n3\n')).toBe('one\ntwo\r\n3\nfour\r\n');
    expect(edited(text, 'one\ntwo\nthree', 'one\nzwei\nthree')).toBe('one\nzwei\r\nthree\nfour\r\n');
  });

  test('takes CRLF in the old text of a mixed file as it is written', () => {
    expect(edited('a\nb\n-\na\r\nb\n', 'a\r\nb', 'a\r\nc')).toBe('a\nb\n-\na\r\nc\n');
    expect(problem('a\nb\n-\na\r\nb\n', 'a\nb')).toContain('2 times');
  });

  test('inserts text that looks like a replacement pattern as it is', () => {
    expect(edited('const x = 1;', 'x = 1', "y = '$&$1$$'")).toBe("const y = '$&$1$$';");
  });

  test('refuses several places, overlapping ones too, and names the lines', () => {
    expect(problem('a\nb\na\n', 'a')).toBe(
      'old: stands in the file 2 times, wanted once | It begins at lines 1, 3. Take in more of the lines around it.',
    );
    expect(problem('aaa', 'aa')).toContain('2 times');
  });

  test('refuses what is not there, and says what most likely went wrong', () => {
    expect(problem('a\n', 'z')).toContain('old: is not in the file');
    expect(problem('a\n  b\n', '1\ta\n2\t  b')).toContain('numbers that read_file puts before');
    expect(problem('a\n\tb();\n\tc();\n', '  b();\n  c();')).toContain('Line 2 begins the same text');
  });

  test('refuses an empty old text and a replacement that changes nothing', () => {
    expect(problem('a', '')).toContain('old: wanted the text to replace');
    expect(problem('a', 'a', 'a')).toContain('new: is the same as old');
    expect(problem('a\r\nb', 'a\nb', 'a\r\nb')).toContain('new: is the same as old');
  });
});

const lineEnd = fc.constantFrom('\n', '\r\n');
const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '{', '\r', 'é', '😀'), maxLength: 4 });
const lines = fc.array(fc.tuple(line, lineEnd), { maxLength: 8 });

function join(parts: readonly (readonly [string, string])[]): string {
  return parts.map(([text, end]) => text + end).join('');
}

test('every byte outside the replaced lines stays, whatever the line ends', () => {
  fc.assert(
    fc.property(lines, lines, lineEnd, (before, after, end) => {
      const [head, tail] = [join(before), join(after)];
      expect(
        edited(`${head}MARK one${end}MARK two${end}${tail}`, 'MARK one\nMARK two\n', 'new\ntext\n'),
      ).toBe(`${head}new${end}text${end}${tail}`);
    }),
  );
});

function plain(text: string): string {
  return text.replaceAll('\r', '');
}

test('an edit of a file of one kind of line end leaves it of that kind', () => {
  fc.assert(
    fc.property(lineEnd, fc.array(line), fc.array(line), fc.array(line), (end, before, middle, after) => {
      const file = [...before, 'MARK', ...after, ''].map(plain).join(end);
      const replacement = ['x', ...middle.map(plain)].join('\n');
      expect(edited(file, 'MARK', replacement)).toBe(
        [...before, 'x', ...middle, ...after, ''].map(plain).join(end),
      );
    }),
  );
});
