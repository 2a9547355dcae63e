import assert from 'node:assert/strict';
import test from 'node:test';
import { and, arithmetic, joinTexts, not, or, signed, truthOf } from './operators.mjs';

const mismatch = { code: 'type_mismatch' };
const never = () => assert.fail('the right operand was evaluated');

test('integers stay integers and lose the fraction', () => {
  assert.equal(arithmetic('/', 7n, 2n), 3n);
  assert.equal(arithmetic('/', -7n, 2n), -3n);
  assert.equal(arithmetic('%', -7n, 3n), -1n);
  assert.equal(arithmetic('*', 6n, 7n), 42n);
});

test('a real makes the result real', () => {
  assert.equal(arithmetic('+', 1n, 2), 3);
  assert.equal(arithmetic('/', 7, 2n), 3.5);
  assert.equal(arithmetic('%', -5.5, 2n), -1.5);
  assert.ok(Object.is(arithmetic('*', 0, -1), 0));
});

test('NULL wins over everything', () => {
  assert.equal(arithmetic('+', null, 1n), null);
  assert.equal(arithmetic('/', null, 0n), null);
  assert.equal(arithmetic('-', 'a', null), null);
  assert.equal(joinTexts('a', null), null);
  assert.equal(signed('-', null), null);
});

test('what arithmetic refuses', () => {
  assert.throws(() => arithmetic('/', 1n, 0n), { code: 'division_by_zero' });
  assert.throws(() => arithmetic('%', 1, 0), { code: 'division_by_zero' });
  assert.throws(() => arithmetic('+', 9007199254740991n, 1n), { code: 'out_of_range' });
  assert.throws(() => arithmetic('*', 1e308, 10), { code: 'out_of_range' });
  assert.throws(() => arithmetic('+', 'a', 1n), mismatch);
  assert.throws(() => signed('-', true), mismatch);
});

test('joined texts take the text forms', () => {
  assert.equal(joinTexts('a', 1n), 'a1');
  assert.equal(joinTexts(2, false), '2.0false');
});

test('AND and OR know the unknown', () => {
  const table = [true, false, null].flatMap((left) =>
    [true, false, null].map((right) => [and(left, () => right), or(left, () => right)]),
  );
  assert.deepEqual(table, [
    [true, true],
    [false, true],
    [null, true],
    [false, true],
    [false, false],
    [false, null],
    [null, true],
    [false, null],
    [null, null],
  ]);
  assert.deepEqual([true, false, null].map(not), [false, true, null]);
});

test('a left operand that decides is enough', () => {
  assert.equal(and(false, never), false);
  assert.equal(or(true, never), true);
});

test('logic takes no numbers', () => {
  assert.throws(() => and(1n, never), mismatch);
  assert.throws(() => or(null, () => 'x'), mismatch);
  assert.throws(() => not(0n), mismatch);
  assert.throws(() => truthOf(1n, 'WHERE'), mismatch);
});
