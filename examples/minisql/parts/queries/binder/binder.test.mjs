import assert from 'node:assert/strict';
import test from 'node:test';
import { bind, hasKind, Scope } from './binder.mjs';

const column = (name, table = null) => ({ kind: 'column', table, name });
const call = (name, ...args) => ({ kind: 'call', name, distinct: false, star: false, args });
const countStar = { kind: 'call', name: 'count', distinct: false, star: true, args: [] };

function scopeOfTwo() {
  const scope = new Scope();
  scope.add('a', ['id', 'x']);
  scope.add('b', ['id', 'y']);
  return scope;
}

test('columns become slots', () => {
  const bound = (expression) => bind(expression, scopeOfTwo()).index;
  assert.equal(bound(column('x')), 1);
  assert.equal(bound(column('id', 'b')), 2);
  assert.equal(bound(column('y')), 3);
  const sum = { kind: 'binary', operator: '+', left: column('x'), right: column('y') };
  const { left, right } = bind(sum, scopeOfTwo());
  assert.deepEqual([left.index, right.index], [1, 3]);
});

test('names that mean nothing or too much', () => {
  const refused = (expression, code) => assert.throws(() => bind(expression, scopeOfTwo()), { code });
  refused(column('z'), 'no_such_column');
  refused(column('x', 'b'), 'no_such_column');
  refused(column('x', 'c'), 'no_such_column');
  refused(column('id'), 'ambiguous_column');
  assert.throws(() => scopeOfTwo().add('a', ['z']), { code: 'duplicate_table' });
});

test('stars give columns in their order', () => {
  const names = (table) =>
    scopeOfTwo()
      .columns(table)
      .map(({ name, index }) => [name, index]);
  assert.deepEqual(names('b'), [
    ['id', 2],
    ['y', 3],
  ]);
  assert.equal(names().length, 4);
  assert.throws(() => names('c'), { code: 'no_such_table' });
});

test('calls are checked before any row is read', () => {
  const refused = (expression, code) => assert.throws(() => bind(expression, scopeOfTwo()), { code });
  refused(call('shout', column('x')), 'no_such_function');
  refused(call('upper'), 'wrong_argument_count');
  refused(call('sum', column('x'), column('y')), 'wrong_argument_count');
  refused({ ...call('upper', column('x')), distinct: true }, 'syntax_error');
  assert.equal(bind(call('upper', column('x')), scopeOfTwo()).args[0].index, 1);
});

test('aggregates have their place', () => {
  const bound = bind(call('abs', call('sum', column('x'))), scopeOfTwo());
  assert.equal(bound.args[0].kind, 'aggregate');
  assert.equal(hasKind(bound, 'aggregate'), true);
  assert.equal(hasKind(bind(column('x'), scopeOfTwo()), 'aggregate'), false);
  assert.equal(bind(countStar, scopeOfTwo()).star, true);
  const misplaced = { code: 'misplaced_aggregate' };
  assert.throws(() => bind(countStar, scopeOfTwo(), 'WHERE'), misplaced);
  assert.throws(() => bind(call('abs', countStar), scopeOfTwo(), 'WHERE'), misplaced);
  assert.throws(() => bind(call('sum', countStar), scopeOfTwo()), misplaced);
});

test('names are looked for inside first, then outwards', () => {
  const outer = scopeOfTwo();
  const scope = new Scope({ outer });
  scope.add('c', ['y', 'z']);
  const slotOf = (name, table) => bind(column(name, table), scope).index;
  assert.deepEqual([slotOf('z'), slotOf('y'), slotOf('y', 'b'), slotOf('x')], [5, 4, 3, 1]);
  assert.deepEqual(
    scope.borrowed.map(({ index }) => index),
    [3, 1],
  );
  const refused = (name, table, code) => assert.throws(() => slotOf(name, table), { code });
  refused('x', 'c', 'no_such_column');
  refused('w', undefined, 'no_such_column');
  refused('id', undefined, 'ambiguous_column');
});

test('a name from two queries outwards is borrowed on the way', () => {
  const middle = new Scope({ outer: scopeOfTwo() });
  middle.add('c', ['z']);
  const inner = new Scope({ outer: middle });
  inner.add('a', ['q']);
  assert.equal(bind(column('x'), inner).index, 1);
  assert.equal(middle.borrowed[0].index, 1);
  // The table that is known as a here hides the other one.
  assert.throws(() => bind(column('x', 'a'), inner), { code: 'no_such_column' });
});

test('subqueries are bound by what the scope was given', () => {
  const bindSubquery = (expression, scope) => ({
    inputs: [scope.resolve('a', 'x')],
    answer: () => expression.query,
  });
  const scope = new Scope({ bindSubquery });
  scope.add('a', ['w', 'x']);
  const subquery = { kind: 'subquery', use: 'in', operand: column('w'), query: 'rows' };
  const bound = bind(subquery, scope, 'WHERE');
  assert.deepEqual([bound.operand.index, bound.inputs[0].index, bound.answer()], [0, 1, 'rows']);
  assert.equal(hasKind(bind({ kind: 'unary', operator: 'NOT', operand: subquery }, scope), 'subquery'), true);
  assert.throws(() => bind(subquery, scopeOfTwo()), { code: 'misplaced_subquery' });
});

test('all parts of conditions and of CASE are bound', () => {
  const [w, x, y] = ['x', 'y', 'x'].map((name) => column(name));
  const slots = (expression) => JSON.stringify(bind(expression, scopeOfTwo())).match(/"index":\d/g)?.length;
  assert.equal(slots({ kind: 'like', operand: w, pattern: x, escape: y }), 3);
  assert.equal(slots({ kind: 'like', operand: w, pattern: x, escape: null }), 2);
  assert.equal(slots({ kind: 'between', operand: w, low: x, high: y }), 3);
  assert.equal(slots({ kind: 'in', operand: w, choices: [x, y] }), 3);
  assert.equal(slots({ kind: 'case', operand: w, branches: [{ when: x, then: y }], otherwise: w }), 4);
  assert.equal(slots({ kind: 'case', operand: null, branches: [{ when: x, then: y }], otherwise: null }), 2);
});
