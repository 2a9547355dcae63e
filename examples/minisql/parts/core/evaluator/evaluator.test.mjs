import assert from 'node:assert/strict';
import test from 'node:test';
import { evaluate, holds } from './evaluator.mjs';
import { callFunction } from './functions.mjs';

const literal = (value) => ({ kind: 'literal', value });
const slot = (index) => ({ kind: 'slot', index });
const binary = (left, operator, right) => ({ kind: 'binary', operator, left, right });
const unary = (operator, operand) => ({ kind: 'unary', operator, operand });

test('slots are places in the row', () => {
  assert.equal(evaluate(binary(slot(0), '+', slot(1)), [2n, 3n]), 5n);
});

test('comparisons give a boolean, or NULL for NULL', () => {
  const results = ['=', '<>', '<', '<=', '>', '>='].map((operator) =>
    evaluate(binary(literal(1n), operator, literal(2)), []),
  );
  assert.deepEqual(results, [false, true, true, true, false, false]);
  assert.equal(evaluate(binary(literal(null), '=', literal(null)), []), null);
});

test('IS NULL never gives NULL', () => {
  assert.equal(evaluate({ kind: 'is-null', operand: slot(0), negated: false }, [null]), true);
  assert.equal(evaluate({ kind: 'is-null', operand: slot(0), negated: true }, [null]), false);
});

test('the right operand is left alone once the left one decides', () => {
  const fails = binary(binary(literal(1n), '/', literal(0n)), '=', literal(1n));
  assert.equal(evaluate(binary(literal(false), 'AND', fails), []), false);
  assert.equal(evaluate(binary(literal(true), 'OR', fails), []), true);
  assert.throws(() => evaluate(binary(literal(null), 'AND', fails), []), { code: 'division_by_zero' });
});

test('prefix operators, casts, joined text and calls', () => {
  assert.equal(evaluate(unary('-', slot(0)), [2n]), -2n);
  assert.equal(evaluate(unary('NOT', literal(null)), []), null);
  assert.equal(evaluate({ kind: 'cast', operand: literal('7'), type: 'integer' }, []), 7n);
  assert.equal(evaluate(binary(literal('a'), '||', literal(1)), []), 'a1.0');
  assert.equal(evaluate({ kind: 'call', name: 'upper', args: [slot(0)] }, ['ab']), 'AB');
});

test('a condition holds only if it is TRUE', () => {
  assert.deepEqual(
    [true, false, null].map((value) => holds(literal(value), [], 'WHERE')),
    [true, false, false],
  );
  assert.throws(() => holds(literal(1n), [], 'WHERE'), { code: 'type_mismatch' });
});

test('functions of any type', () => {
  assert.equal(callFunction('coalesce', [null, null, 2n, 3n]), 2n);
  assert.equal(callFunction('coalesce', [null]), null);
  assert.equal(callFunction('nullif', [1n, 1]), null);
  assert.equal(callFunction('nullif', [1n, null]), 1n);
  assert.throws(() => callFunction('nullif', [1n, 'a']), { code: 'type_mismatch' });
  assert.deepEqual(
    [1n, null].map((value) => callFunction('typeof', [value])),
    ['integer', 'null'],
  );
});
