import assert from 'node:assert/strict';
import test from 'node:test';
import { bind, hasAggregate, Scope } from './binder.mjs';

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
  assert.equal(hasAggregate(bound), true);
  assert.equal(hasAggregate(bind(column('x'), scopeOfTwo())), false);
  assert.equal(bind(countStar, scopeOfTwo()).star, true);
  const misplaced = { code: 'misplaced_aggregate' };
  assert.throws(() => bind(countStar, scopeOfTwo(), 'WHERE'), misplaced);
  assert.throws(() => bind(call('abs', countStar), scopeOfTwo(), 'WHERE'), misplaced);
  assert.throws(() => bind(call('sum', countStar), scopeOfTwo()), misplaced);
});
