import assert from 'node:assert/strict';
import test from 'node:test';
import { errorCodes, SqlError } from './errors.mjs';
import { integer, real, textOf, typeOf } from './types.mjs';

test('the type of a value is its JavaScript type', () => {
  assert.deepEqual([1n, 1, '1', true, null].map(typeOf), ['integer', 'real', 'text', 'boolean', 'null']);
});

test('integers have 53 bits', () => {
  assert.equal(integer(9007199254740991n), 9007199254740991n);
  assert.throws(() => integer(9007199254740992n), { code: 'out_of_range' });
  assert.throws(() => integer(-9007199254740992n), { code: 'out_of_range' });
});

test('reals are finite and have one zero', () => {
  assert.ok(Object.is(real(-0), 0));
  assert.throws(() => real(Infinity), { code: 'out_of_range' });
  assert.throws(() => real(NaN), { code: 'out_of_range' });
});

test('text forms tell a real from an integer', () => {
  assert.deepEqual([2n, 2, -3, 0.5, 1e21, false].map(textOf), ['2', '2.0', '-3.0', '0.5', '1e+21', 'false']);
});

test('an error has a code of the list', () => {
  assert.equal(new SqlError('syntax_error', 'why').code, 'syntax_error');
  assert.throws(() => new SqlError('oops', 'why'), TypeError);
  assert.ok([...errorCodes.keys()].every((code) => /^[a-z_]+$/.test(code)));
});
