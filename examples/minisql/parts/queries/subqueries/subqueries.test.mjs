import assert from 'node:assert/strict';
import test from 'node:test';
import { Scope } from './binder.mjs';
import { prepareSubquery } from './subqueries.mjs';

function outerScope() {
  const scope = new Scope();
  scope.add('o', ['a', 'b', 'c']);
  return scope;
}

// Stands in for SELECT: names the columns in `reads` and answers with the rows that it was given.
function planner(reads, names = ['x']) {
  const rows = [];
  const planQuery = (_, outer) => {
    const scope = new Scope({ outer });
    for (const name of reads) scope.resolve(null, name);
    return { names, scope, run: (row) => [...rows.splice(0, rows.length, row), row] };
  };
  return { planQuery, rows };
}

const subquery = (use) => ({ kind: 'subquery', use, operand: null, query: { kind: 'select' } });

test('the inputs are the columns that it reads, each one once', () => {
  const { inputs } = prepareSubquery(subquery('value'), outerScope(), planner(['c', 'a', 'c']).planQuery);
  assert.deepEqual(
    inputs.map(({ kind, index }) => [kind, index]),
    [
      ['slot', 2],
      ['slot', 0],
    ],
  );
});

test('it is answered for the values of its inputs, in their places', () => {
  const { planQuery, rows } = planner(['c', 'a']);
  const { answer } = prepareSubquery(subquery('exists'), outerScope(), planQuery);
  answer(['C', 'A']);
  assert.deepEqual(rows, [['A', null, 'C']]);
  answer([1n, 2n]);
  assert.deepEqual(rows, [[2n, null, 1n]]);
});

test('without inputs it is answered once', () => {
  let runs = 0;
  const planQuery = (_, outer) => ({ names: ['x'], scope: new Scope({ outer }), run: () => [[(runs += 1)]] });
  const { answer } = prepareSubquery(subquery('value'), outerScope(), planQuery);
  assert.equal(runs, 0);
  assert.deepEqual([answer([]), answer([])], [[[1]], [[1]]]);
});

test('a value has one column, EXISTS takes any number', () => {
  const { planQuery } = planner([], ['x', 'y']);
  for (const use of ['value', 'in']) {
    assert.throws(() => prepareSubquery(subquery(use), outerScope(), planQuery), {
      code: 'wrong_column_count',
    });
  }
  prepareSubquery(subquery('exists'), outerScope(), planQuery);
});
