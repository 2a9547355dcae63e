import assert from 'node:assert/strict';
import test from 'node:test';
import { callFunction } from './functions.mjs';

const round = (...args) => callFunction('round', args);

test('the type of the argument is kept', () => {
  assert.equal(callFunction('abs', [-3n]), 3n);
  assert.equal(callFunction('abs', [-2.5]), 2.5);
  assert.equal(callFunction('floor', [-1.5]), -2);
  assert.equal(callFunction('ceil', [7n]), 7n);
  assert.ok(Object.is(callFunction('ceil', [-0.5]), 0));
});

test('sign is an integer', () => {
  assert.deepEqual(
    [-2.5, 0n, 9n].map((value) => callFunction('sign', [value])),
    [-1n, 0n, 1n],
  );
});

test('halves are rounded away from zero', () => {
  assert.deepEqual(
    [0.5, 1.5, -0.5, -2.5].map((value) => round(value)),
    [1, 2, -1, -3],
  );
  assert.equal(round(1.005, 2n), 1.01);
  assert.equal(round(2.345, 1n), 2.3);
  assert.ok(Object.is(round(-0.4), 0));
  assert.equal(round(7n, 2n), 7n);
  assert.equal(round(1e300, 15n), 1e300);
  assert.throws(() => round(1.5, -1n), { code: 'invalid_argument' });
  assert.throws(() => round(1.5, 16n), { code: 'invalid_argument' });
});

test('power and sqrt are real', () => {
  assert.equal(callFunction('power', [2n, 10n]), 1024);
  assert.equal(callFunction('sqrt', [9n]), 3);
  assert.throws(() => callFunction('sqrt', [-1n]), { code: 'invalid_argument' });
  assert.throws(() => callFunction('power', [-8n, 0.5]), { code: 'invalid_argument' });
  assert.throws(() => callFunction('power', [0n, -1n]), { code: 'invalid_argument' });
  assert.throws(() => callFunction('power', [10n, 400n]), { code: 'out_of_range' });
});

test('NULL in, NULL out; other types are refused', () => {
  assert.equal(callFunction('power', [null, 2n]), null);
  assert.throws(() => callFunction('abs', ['1']), { code: 'type_mismatch' });
  assert.throws(() => callFunction('sqrt', [true]), { code: 'type_mismatch' });
});
