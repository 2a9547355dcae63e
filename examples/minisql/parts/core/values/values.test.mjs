import assert from 'node:assert/strict';
import test from 'node:test';
import { castTo, compareValues, keyOf, keyOfRow, storeAs } from './values.mjs';

const mismatch = { code: 'type_mismatch' };

test('numbers are compared by value, across types too', () => {
  assert.equal(compareValues(1n, 1), 0);
  assert.ok(compareValues(2n, 2.5) < 0);
  assert.ok(compareValues(9007199254740991n, 9007199254740990) > 0);
  assert.ok(compareValues(false, true) < 0);
});

test('texts are compared by code points, a beginning is less', () => {
  assert.ok(compareValues('Z', 'a') < 0);
  assert.ok(compareValues('ab', 'abc') < 0);
  assert.equal(compareValues('', ''), 0);
  assert.ok(compareValues('\uff5e', '\u{1f600}') < 0);
});

test('other pairs cannot be compared', () => {
  assert.throws(() => compareValues(1n, '1'), mismatch);
  assert.throws(() => compareValues(true, 1n), mismatch);
});

test('keys are equal for what is the same, and for nothing else', () => {
  assert.equal(keyOf(1n), keyOf(1));
  const keys = [null, 'null', true, 'true', 1n, '1', 1.5].map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
  assert.notEqual(keyOfRow(['a', 'b']), keyOfRow(["a','b", '']));
});

test('a column stores its type, whole reals and integers as reals', () => {
  assert.equal(storeAs(2n, 'real', 'c'), 2);
  assert.equal(storeAs(2, 'integer', 'c'), 2n);
  assert.equal(storeAs(null, 'text', 'c'), null);
  for (const [value, type] of [
    [2.5, 'integer'],
    [1n, 'text'],
    ['1', 'integer'],
    [1n, 'boolean'],
  ]) {
    assert.throws(() => storeAs(value, type, 'c'), mismatch);
  }
});

test('casts', () => {
  assert.equal(castTo(-2.9, 'integer'), -2n);
  assert.equal(castTo(2n, 'text'), '2');
  assert.equal(castTo(2, 'text'), '2.0');
  assert.equal(castTo(' +12\n', 'integer'), 12n);
  assert.equal(castTo('-.5e1', 'real'), -5);
  assert.equal(castTo('True', 'boolean'), true);
  assert.equal(castTo(true, 'integer'), 1n);
  assert.equal(castTo(7n, 'boolean'), true);
  assert.equal(castTo(null, 'integer'), null);
});

test('what cannot be cast', () => {
  for (const [text, type] of [
    ['1.5', 'integer'],
    ['', 'integer'],
    ['abc', 'real'],
    ['yes', 'boolean'],
  ]) {
    assert.throws(() => castTo(text, type), { code: 'invalid_cast' });
  }
  assert.throws(() => castTo(1.5, 'boolean'), mismatch);
  assert.throws(() => castTo(true, 'real'), mismatch);
  assert.throws(() => castTo(1e300, 'integer'), { code: 'out_of_range' });
  assert.throws(() => castTo('99999999999999999999', 'integer'), { code: 'out_of_range' });
});
