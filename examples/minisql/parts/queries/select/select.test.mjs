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
  const from = { table: 'pets', alias: 'pets', joins: [] };
  const none = { distinct: false, where: null, groupBy: [], orderBy: [], limit: null, offset: 0 };
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
