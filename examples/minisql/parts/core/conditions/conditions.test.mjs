import assert from 'node:assert/strict';
import test from 'node:test';
import { among, between, compare, like } from './conditions.mjs';

const mismatch = { code: 'type_mismatch' };
const never = () => assert.fail('it was evaluated');

test('comparisons give a boolean, or NULL for NULL', () => {
  const results = ['=', '<>', '<', '<=', '>', '>='].map((operator) => compare(operator, 1n, 2));
  assert.deepEqual(results, [false, true, true, true, false, false]);
  assert.equal(compare('=', null, null), null);
  assert.throws(() => compare('<', 1n, 'a'), mismatch);
});

test('between has both limits in it', () => {
  assert.deepEqual(
    [0n, 1n, 2n, 3n, 4n].map((value) => between(value, 1n, () => 3)),
    [false, true, true, true, false],
  );
  assert.equal(
    between(2n, 3n, () => 1n),
    false,
  );
});

test('between knows the unknown, and leaves the upper limit alone once the lower one decides', () => {
  assert.equal(
    between(5n, null, () => 3n),
    false,
  );
  assert.equal(
    between(5n, null, () => 7n),
    null,
  );
  assert.equal(
    between(null, 1n, () => 2n),
    null,
  );
  assert.equal(between(0n, 1n, never), false);
});

test('among is TRUE for one that is equal, NULL if one could be', () => {
  assert.equal(among(2n, [1n, 2]), true);
  assert.equal(among(2n, [null, 2n]), true);
  assert.equal(among(2n, [1n, null]), null);
  assert.equal(among(null, [1n]), null);
  assert.equal(among(2n, [1n, 3n]), false);
  assert.equal(among(null, []), false);
  assert.throws(() => among(2n, [1n, 'a']), mismatch);
});

test('among takes no more candidates than it needs', () => {
  function* candidates() {
    yield 1n;
    never();
  }
  assert.equal(among(1n, candidates()), true);
});

test('like takes texts, and NULL wins over everything', () => {
  assert.equal(like('abc', 'a%'), true);
  assert.equal(like('a%', 'a!%', '!'), true);
  assert.equal(like(null, 1n), null);
  assert.equal(like('a', 'a', null), null);
  for (const operands of [
    [1n, 'a'],
    ['a', true],
    ['a', 'a', 1n],
  ]) {
    assert.throws(() => like(...operands), mismatch);
  }
});
