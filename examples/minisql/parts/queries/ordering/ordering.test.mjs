import assert from 'node:assert/strict';
import test from 'node:test';
import { distinctEntries, sortByKeys } from './ordering.mjs';

const up = { descending: false, nulls: 'first' };
const down = { descending: true, nulls: 'last' };
const sorted = (rows, ...directions) => sortByKeys(rows, (row) => row, directions);

test('NULL comes first going up and last going down, unless told otherwise', () => {
  const rows = [[2n], [null], [1n]];
  assert.deepEqual(sorted(rows, up), [[null], [1n], [2n]]);
  assert.deepEqual(sorted(rows, down), [[2n], [1n], [null]]);
  assert.deepEqual(sorted(rows, { descending: false, nulls: 'last' }), [[1n], [2n], [null]]);
  assert.deepEqual(sorted(rows, { descending: true, nulls: 'first' }), [[null], [2n], [1n]]);
});

test('the second key decides where the first is equal', () => {
  assert.deepEqual(
    sorted(
      [
        ['a', 1n],
        ['b', 1n],
        ['a', 2n],
      ],
      up,
      down,
    ),
    [
      ['a', 2n],
      ['a', 1n],
      ['b', 1n],
    ],
  );
});

test('equal keys keep their order', () => {
  const entries = [
    { key: 1n, at: 1 },
    { key: 1, at: 2 },
    { key: 0n, at: 3 },
  ];
  assert.deepEqual(
    sortByKeys(entries, (entry) => [entry.key], [down]).map((entry) => entry.at),
    [1, 2, 3],
  );
});

test('what cannot be compared cannot be sorted', () => {
  assert.throws(() => sorted([[1n], ['a']], up), { code: 'type_mismatch' });
});

test('the first of equal rows stays', () => {
  const rows = [
    [1n, null],
    [1, null],
    [null, 1n],
    [1n, '1'],
  ];
  assert.deepEqual(
    distinctEntries(rows, (row) => row),
    [
      [1n, null],
      [null, 1n],
      [1n, '1'],
    ],
  );
});
