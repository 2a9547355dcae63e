import assert from 'node:assert/strict';
import test from 'node:test';
import { evaluate } from '../core/evaluator.mjs';
import { planGroups } from './grouping.mjs';

const slot = (index, name = `c${index}`) => ({ kind: 'slot', index, name });
const literal = (value) => ({ kind: 'literal', value });
const plus = (left, right) => ({ kind: 'binary', operator: '+', left, right });
const total = (name, argument) => ({
  kind: 'aggregate',
  name,
  distinct: false,
  star: false,
  args: [argument],
});
const countStar = { kind: 'aggregate', name: 'count', distinct: false, star: true, args: [] };

function answer(keys, outputs, rows, outerRow = []) {
  const { rewrite, groupRows } = planGroups(keys, outerRow.length);
  const rewritten = outputs.map(rewrite);
  return groupRows(rows, outerRow).map((row) => rewritten.map((output) => evaluate(output, row)));
}

test('groups come in the order of their first rows, NULLs are one group', () => {
  const rows = [
    ['b', 1n],
    [null, 2n],
    ['a', 3n],
    ['b', 4n],
    [null, 5n],
  ];
  assert.deepEqual(answer([slot(0)], [slot(0), total('sum', slot(1)), countStar], rows), [
    ['b', 5n, 2n],
    [null, 7n, 2n],
    ['a', 3n, 1n],
  ]);
});

test('without keys there is one group, even without rows', () => {
  assert.deepEqual(answer([], [countStar, total('max', slot(0))], []), [[0n, null]]);
  assert.deepEqual(answer([slot(0)], [countStar], []), []);
});

test('a key may be an expression, and part of an output', () => {
  const key = plus(slot(0), literal(1n));
  assert.deepEqual(answer([key], [plus(key, literal(10n)), countStar], [[1n], [1n], [2n]]), [
    [12n, 2n],
    [13n, 1n],
  ]);
  assert.throws(() => planGroups([key]).rewrite(plus(slot(0), literal(2n))), { code: 'not_grouped' });
});

test('aggregates may be parts of outputs', () => {
  assert.deepEqual(answer([], [plus(total('sum', slot(0)), countStar)], [[5n], [6n]]), [[13n]]);
});

test('columns of the query around it keep their places and need no group', () => {
  const rows = [
    [1n, 2n, 'a', 10n],
    [1n, 2n, 'a', 20n],
    [1n, 2n, 'b', 30n],
  ];
  const outputs = [plus(slot(0), total('sum', plus(slot(1), slot(3)))), slot(2)];
  assert.deepEqual(answer([slot(2)], outputs, rows, [1n, 2n]), [
    [35n, 'a'],
    [33n, 'b'],
  ]);
  assert.throws(() => planGroups([slot(2)], 2).rewrite(slot(3)), { code: 'not_grouped' });
});

test('what a subquery takes from a query with groups must be grouped', () => {
  const echo = (input) => ({
    kind: 'subquery',
    use: 'value',
    operand: null,
    inputs: [input],
    answer: (values) => [values],
  });
  assert.deepEqual(answer([slot(1)], [echo(slot(1)), countStar], [[1n, 'a']]), [['a', 1n]]);
  assert.throws(() => planGroups([slot(1)]).rewrite(echo(slot(0))), { code: 'not_grouped' });
});

test('a column outside of aggregates must be grouped', () => {
  assert.throws(() => planGroups([slot(0)]).rewrite(slot(1)), { code: 'not_grouped' });
  assert.throws(() => planGroups([]).rewrite(plus(countStar, slot(0))), { code: 'not_grouped' });
});
