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
  assert.equal(evaluate(binary(literal(1n), '<', literal(2)), []), true);
  assert.equal(evaluate(binary(literal(1n), '>=', literal(2)), []), false);
  assert.equal(evaluate(binary(literal(null), '=', literal(null)), []), null);
});

test('IS NULL never gives NULL', () => {
  assert.equal(evaluate({ kind: 'is-null', operand: slot(0), negated: false }, [null]), true);
  assert.equal(evaluate({ kind: 'is-null', operand: slot(0), negated: true }, [null]), false);
});

const fails = binary(binary(literal(1n), '/', literal(0n)), '=', literal(1n));

test('the right operand is left alone once the left one decides', () => {
  assert.equal(evaluate(binary(literal(false), 'AND', fails), []), false);
  assert.equal(evaluate(binary(literal(true), 'OR', fails), []), true);
  assert.throws(() => evaluate(binary(literal(null), 'AND', fails), []), { code: 'division_by_zero' });
});

test('LIKE, BETWEEN and IN evaluate what they need', () => {
  const like = (text, pattern, escape = null) =>
    evaluate({ kind: 'like', operand: literal(text), pattern: literal(pattern), escape }, []);
  assert.equal(like('abc', '_b%'), true);
  assert.equal(like('a%', 'a!%', literal('!')), true);
  assert.equal(like('a', 'a', literal(null)), null);
  const between = { kind: 'between', operand: slot(0), low: literal(2n), high: fails };
  assert.equal(evaluate(between, [1n]), false);
  assert.equal(evaluate({ ...between, high: literal(3n) }, [3n]), true);
  const choices = { kind: 'in', operand: slot(0), choices: [literal(1n), fails] };
  assert.equal(evaluate(choices, [1n]), true);
  assert.throws(() => evaluate(choices, [2n]), { code: 'division_by_zero' });
});

test('CASE takes the first branch that is met, and evaluates nothing else', () => {
  const when = (condition, value) => ({ when: literal(condition), then: literal(value) });
  const valueOf = (operand, branches, otherwise = null) =>
    evaluate({ kind: 'case', operand, branches, otherwise }, [2n]);
  assert.equal(valueOf(null, [when(null, 'a'), when(true, 'b'), { when: fails, then: fails }]), 'b');
  assert.equal(valueOf(null, [when(false, 'a')], literal('c')), 'c');
  assert.equal(valueOf(null, [when(false, 'a')]), null);
  assert.equal(valueOf(slot(0), [when(1n, 'a'), when(2, 'b')]), 'b');
  assert.equal(valueOf(literal(null), [when(null, 'a')], literal('c')), 'c');
  assert.throws(() => valueOf(null, [when(1n, 'a')]), { code: 'type_mismatch' });
  assert.throws(() => valueOf(slot(0), [when('x', 'a')]), { code: 'type_mismatch' });
});

test('subqueries are answered for the values of their inputs', () => {
  const valueOf = (use, operand, ...rows) =>
    evaluate({ kind: 'subquery', use, operand, inputs: [], answer: () => rows }, []);
  assert.equal(valueOf('value', null, [7n]), 7n);
  assert.equal(valueOf('value', null), null);
  assert.throws(() => valueOf('value', null, [7n], [7n]), { code: 'too_many_rows' });
  assert.deepEqual([valueOf('exists', null), valueOf('exists', null, [null, 1n])], [false, true]);
  assert.equal(valueOf('in', literal(1n), [2n], [1n]), true);
  assert.equal(valueOf('in', literal(1n), [2n], [null]), null);
  assert.equal(valueOf('in', literal(null)), false);
  const echo = {
    kind: 'subquery',
    use: 'value',
    operand: null,
    inputs: [slot(1)],
    answer: (values) => [values],
  };
  assert.equal(evaluate(echo, ['a', 'b']), 'b');
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
