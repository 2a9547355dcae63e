import assert from 'node:assert/strict';
import test from 'node:test';
import { aggregate, isAggregate } from './aggregates.mjs';

const over = (name, ...values) => aggregate(name, false, values);
const overDistinct = (name, ...values) => aggregate(name, true, values);

test('NULLs are left out', () => {
  assert.equal(over('count', 1n, null, 'x'), 2n);
  assert.equal(over('sum', null, 2n, 3n), 5n);
  assert.equal(over('avg', 1n, null, 2n), 1.5);
});

test('nothing counts as 0 and is NULL otherwise', () => {
  assert.equal(over('count', null), 0n);
  for (const name of ['sum', 'avg', 'min', 'max']) assert.equal(over(name, null), null);
});

test('a sum is an integer if all are', () => {
  assert.equal(over('sum', 1n, 2n), 3n);
  assert.equal(over('sum', 1n, 2.5), 3.5);
  assert.equal(over('sum', 1, 2n), 3);
});

test('only the sum must be in range', () => {
  const greatest = 9007199254740991n;
  assert.equal(over('sum', greatest, 1n, -1n), greatest);
  assert.throws(() => over('sum', greatest, 1n), { code: 'out_of_range' });
  assert.throws(() => over('sum', 1e308, 1e308), { code: 'out_of_range' });
});

test('min and max follow the order of values', () => {
  assert.equal(over('min', 'b', 'B', 'a'), 'B');
  assert.equal(over('max', 1n, 2.5, 2n), 2.5);
  assert.equal(over('max', false, true), true);
  assert.throws(() => over('min', 1n, 'a'), { code: 'type_mismatch' });
});

test('DISTINCT takes each value once', () => {
  assert.equal(overDistinct('count', 1n, 1, 2n, null), 2n);
  assert.equal(overDistinct('sum', 5n, 5n, 1n), 6n);
});

test('text has no sum', () => {
  assert.throws(() => over('sum', 'a'), { code: 'type_mismatch' });
  assert.throws(() => over('avg', true), { code: 'type_mismatch' });
});

test('names', () => {
  assert.ok(isAggregate('count'));
  assert.ok(!isAggregate('upper'));
});
