import assert from 'node:assert/strict';
import test from 'node:test';
import { Catalog, Table } from '../core/catalog.mjs';
import { runSelect } from './select.mjs';

const column = (name) => ({ kind: 'column', table: null, name });
const literal = (value) => ({ kind: 'literal', value });
const item = (expression, alias = null) => ({ kind: 'expression', expression, alias });
const count = { kind: 'call', name: 'count', distinct: false, star: true, args: [] };
const key = (expression, descending = false) => ({
  expression,
  descending,
  nulls: descending ? 'last' : 'first',
});

const from = { table: 'pets', alias: 'pets', joins: [] };
const none = { distinct: false, where: null, groupBy: [], having: null, orderBy: [], limit: null, offset: 0 };

function run(clauses) {
  const catalog = new Catalog();
  const table = new Table(
    'pets',
    ['name', 'kind', 'age'].map((name) => ({
      name,
      type: 'text',
      notNull: false,
      unique: false,
      default: null,
    })),
  );
  table.append([
    ['Rex', 'dog', 3n],
    ['Tom', 'cat', 5n],
    ['Ida', 'dog', null],
    ['Mia', 'cat', 3n],
  ]);
  catalog.add(table);
  return runSelect({ kind: 'select', from, ...none, ...clauses }, catalog);
}

test('columns are named by alias, by column, or by place', () => {
  const { columns, rows } = run({
    items: [item(column('name'), 'who'), item(column('kind')), item(literal(1n))],
    limit: 1,
  });
  assert.deepEqual(columns, ['who', 'kind', 'column3']);
  assert.deepEqual(rows, [['Rex', 'dog', 1n]]);
});

test('WHERE keeps what is TRUE', () => {
  const where = { kind: 'binary', operator: '=', left: column('age'), right: literal(3n) };
  assert.deepEqual(run({ items: [item(column('name'))], where }).rows, [['Rex'], ['Mia']]);
});

test('keys are places, names of items, or expressions', () => {
  const items = [item(column('name'), 'kind'), item(column('age'))];
  const names = (...orderBy) => run({ items, orderBy }).rows.map(([name]) => name);
  assert.deepEqual(names(key(literal(2n)), key(literal(1n))), ['Ida', 'Mia', 'Rex', 'Tom']);
  assert.deepEqual(names(key(column('kind'), true)), ['Tom', 'Rex', 'Mia', 'Ida']);
  const kindColumn = { kind: 'column', table: 'pets', name: 'kind' };
  assert.deepEqual(names(key(kindColumn)), ['Tom', 'Mia', 'Rex', 'Ida']);
  assert.throws(() => names(key(literal(3n))), { code: 'invalid_position' });
});

test('groups, ordered by an aggregate', () => {
  const items = [item(column('age')), item(count)];
  const { rows } = run({
    items,
    groupBy: [literal(1n)],
    orderBy: [key(count, true), key(column('age'), true)],
  });
  assert.deepEqual(rows, [
    [3n, 2n],
    [5n, 1n],
    [null, 1n],
  ]);
  assert.throws(() => run({ items, groupBy: [literal(2n)] }), { code: 'misplaced_aggregate' });
  assert.throws(() => run({ items }), { code: 'not_grouped' });
});

test('an aggregate in ORDER BY alone makes a group too', () => {
  assert.deepEqual(run({ items: [item(literal('all'))], orderBy: [key(count)] }).rows, [['all']]);
});

test('HAVING keeps groups, whose items alone are evaluated', () => {
  const several = { kind: 'binary', operator: '>', left: count, right: literal(1n) };
  const items = [
    item(column('age')),
    item({ kind: 'binary', operator: '/', left: literal(6n), right: column('age') }),
  ];
  assert.deepEqual(run({ items, groupBy: [column('age')], having: several }).rows, [[3n, 2n]]);
  assert.deepEqual(run({ items: [item(literal('all'))], having: several }).rows, [['all']]);
  assert.deepEqual(run({ items: [item(count)], having: literal(null) }).rows, []);
  assert.throws(() => run({ items: [item(count)], having: column('age') }), { code: 'not_grouped' });
  assert.throws(() => run({ items: [item(count)], having: count }), { code: 'type_mismatch' });
});

const subquery = (use, clauses, operand = null) => ({
  kind: 'subquery',
  use,
  operand,
  query: { kind: 'select', ...none, from: { ...from, alias: 'inner' }, ...clauses },
});
const sameKind = {
  kind: 'binary',
  operator: '=',
  left: { kind: 'column', table: 'inner', name: 'kind' },
  right: { kind: 'column', table: 'pets', name: 'kind' },
};

test('a subquery is answered for each row', () => {
  const oldest = { kind: 'call', name: 'max', distinct: false, star: false, args: [column('age')] };
  const items = [item(column('name')), item(subquery('value', { items: [item(oldest)], where: sameKind }))];
  assert.deepEqual(run({ items }).rows, [
    ['Rex', 3n],
    ['Tom', 5n],
    ['Ida', 3n],
    ['Mia', 5n],
  ]);
});

test('a subquery in a query with groups sees their keys', () => {
  const items = [item(column('kind')), item(subquery('value', { items: [item(count)], where: sameKind }))];
  assert.deepEqual(run({ items, groupBy: [column('kind')] }).rows, [
    ['dog', 2n],
    ['cat', 2n],
  ]);
  assert.throws(() => run({ items, groupBy: [column('age')] }), { code: 'not_grouped' });
});

test('subqueries are checked before a row is read, and are no keys of groups', () => {
  const two = subquery('in', { items: [item(column('name')), item(column('kind'))] }, literal(1n));
  const nobody = literal(false);
  assert.throws(() => run({ items: [item(two)], where: nobody }), { code: 'wrong_column_count' });
  const exists = subquery('exists', { items: [item(literal(1n))] });
  assert.deepEqual(run({ items: [item(exists)], limit: 1 }).rows, [[true]]);
  assert.throws(() => run({ items: [item(exists)], groupBy: [literal(1n)] }), { code: 'misplaced_subquery' });
});

test('DISTINCT, LIMIT and OFFSET come last', () => {
  const items = [item(column('kind'))];
  assert.deepEqual(run({ items, distinct: true, orderBy: [key(column('kind'))] }).rows, [['cat'], ['dog']]);
  assert.deepEqual(run({ items: [item(column('name'))], limit: 2, offset: 3 }).rows, [['Mia']]);
  assert.deepEqual(run({ items, limit: 0 }).rows, []);
});

test('a star is all columns', () => {
  assert.deepEqual(run({ items: [{ kind: 'all', table: 'pets' }], limit: 1 }).columns, [
    'name',
    'kind',
    'age',
  ]);
  assert.deepEqual(run({ items: [{ kind: 'all', table: null }], limit: 1 }).rows, [['Rex', 'dog', 3n]]);
});
