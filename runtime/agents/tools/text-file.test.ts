import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decodeText, encodeText, lineEndsOf, linesOf } from './text-file.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe('text of a file', () => {
  test('that is UTF-8 comes out as it went in, byte order mark included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, bom) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF'));
        const raw = new TextEncoder().encode(bom ? `\uFEFF${text}` : text);
        const content = decodeText(raw);
        expect(content).toEqual({ text, bom });
        expect(content && encodeText(content)).toEqual(raw);
      }),
    );
  });

  test('is refused when it is binary, Latin-1, Shift-JIS, cut UTF-8 or UTF-16', () => {
    expect(decodeText(bytes(0x61, 0x00))).toBeUndefined();
    expect(decodeText(bytes(0xe9, 0x74, 0x65))).toBeUndefined();
    expect(decodeText(bytes(0x93, 0xfa, 0x96, 0x7b))).toBeUndefined();
    expect(decodeText(bytes(0xf0, 0x9f, 0x98))).toBeUndefined();
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0x00))).toBeUndefined();
  });

  test('has lines without their ends, and none after the last end', () => {
    expect(linesOf('')).toEqual([]);
    expect(linesOf('a')).toEqual(['a']);
    expect(linesOf('a\n')).toEqual(['a']);
    expect(linesOf('a\r\n\r\nb\r')).toEqual(['a', '', 'b\r']);
    expect(linesOf('\n')).toEqual(['']);
  });

  test('has one kind of line end, none, or a mixture', () => {
    expect(['a', 'a\n', 'a\r\n', 'a\r\nb\n'].map(lineEndsOf)).toEqual(['none', 'lf', 'crlf', 'mixed']);
  });
});
