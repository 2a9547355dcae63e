import { describe, expect, test } from 'vitest';
import { checkResolution, conflictHunks, type ConflictSides } from './resolution-check.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const sides: ConflictSides = {
  base: bytes('a\nnames: one\nz\n'),
  trunk: bytes('a\nnames: one, two\nz\n'),
  ours: bytes('a\nnames: one, three\nz\nmore\n'),
};
const hunks = conflictHunks(sides) ?? [];

function check(
  content: string,
  waivers: Parameters<typeof checkResolution>[2]['waivers'] = [],
): readonly string[] {
  return checkResolution(sides, hunks, { action: 'write', content, waivers });
}

test('hunks are numbered from 1 within their side', () => {
  expect(hunks.map(({ side, number }) => `${side} ${number}`)).toEqual(['trunk 1', 'ours 1', 'ours 2']);
});

describe('an answer', () => {
  test('that drops one side is refused, and the hunk is named', () => {
    expect(check('a\nnames: one, two\nz\nmore\n')).toEqual([
      'hunk 1 of ours is neither in the answer nor waived',
    ]);
  });

  test('that joins both needs a waiver for each line it rewrites', () => {
    const joined = 'a\nnames: one, two, three\nz\nmore\n';
    expect(check(joined)).toHaveLength(2);
    const reason = 'both names stand in the joined line';
    expect(
      check(joined, [
        { side: 'trunk', hunk: 1, reason },
        { side: 'ours', hunk: 1, reason },
      ]),
    ).toEqual([]);
  });

  test('that waives a hunk that is not there is refused', () => {
    expect(
      check('a\nnames: one, two\nnames: one, three\nz\nmore\n', [{ side: 'trunk', hunk: 7, reason: 'no' }]),
    ).toEqual(['there is no hunk 7 of trunk to waive']);
  });

  test('with conflict markers is refused', () => {
    expect(check('a\n<<<<<<< trunk\nnames: one, two\nnames: one, three\nz\nmore\n')).toEqual([
      'the answer holds conflict markers',
    ]);
  });

  test('that brings back what a side took away is refused', () => {
    const removal: ConflictSides = {
      base: bytes('a\nold\nz\n'),
      trunk: bytes('a\nz\n'),
      ours: bytes('a\nold!\nz\n'),
    };
    const found = conflictHunks(removal) ?? [];
    expect(checkResolution(removal, found, { action: 'write', content: 'a\nold\nz\n', waivers: [] })).toEqual(
      [
        'hunk 1 of trunk is neither in the answer nor waived',
        'hunk 1 of ours is neither in the answer nor waived',
      ],
    );
  });

  test('that deletes the file waives what was edited in it', () => {
    const deleted: ConflictSides = { base: bytes('a\n'), trunk: bytes('b\n'), ours: undefined };
    const found = conflictHunks(deleted) ?? [];
    expect(checkResolution(deleted, found, { action: 'delete', waivers: [] })).toEqual([
      'hunk 1 of trunk is neither in the answer nor waived',
    ]);
    expect(
      checkResolution(deleted, found, {
        action: 'delete',
        waivers: [{ side: 'trunk', hunk: 1, reason: 'nothing uses the file' }],
      }),
    ).toEqual([]);
  });
});

test('a line that stands elsewhere too does not vouch for one that was dropped', () => {
  const twins: ConflictSides = {
    base: bytes('f() {\n}\n\nend\n'),
    trunk: bytes('f() {\n}\n}\nend\n'),
    ours: bytes('f() {\n}\nours\nend\n'),
  };
  const found = conflictHunks(twins) ?? [];
  expect(
    checkResolution(twins, found, { action: 'write', content: 'f() {\n}\nours\nend\n', waivers: [] }),
  ).toEqual(['hunk 1 of trunk is neither in the answer nor waived']);
});

test('line ends do not count', () => {
  const crlf: ConflictSides = { base: bytes('a\r\n'), trunk: bytes('b\r\n'), ours: bytes('c\r\n') };
  expect(
    checkResolution(crlf, conflictHunks(crlf) ?? [], { action: 'write', content: 'b\nc\n', waivers: [] }),
  ).toEqual([]);
});

test('contents that are no text, or not UTF-8, have no hunks', () => {
  expect(
    conflictHunks({ base: bytes('a'), trunk: new Uint8Array([0xe9]), ours: bytes('b') }),
  ).toBeUndefined();
  expect(conflictHunks({ base: undefined, trunk: new Uint8Array([0]), ours: bytes('a') })).toBeUndefined();
});
