import assert from 'node:assert/strict';
import test from 'node:test';
import { Catalog } from '../core/catalog.mjs';
import { createTable, dropTable, insertRows } from './tables.mjs';

const literal = (value) => ({ kind: 'literal', value });
const column = (name, type, more = {}) => ({
  name,
  type,
  notNull: false,
  unique: false,
  primaryKey: false,
  default: null,
  ...more,
});

function withTable(...columns) {
  const catalog = new Catalog();
  createTable({ table: 't', ifNotExists: false, columns }, catalog);
  return catalog;
}

const insert = (catalog, columns, ...rows) =>
  insertRows({ table: 't', columns, rows: rows.map((row) => row.map(literal)) }, catalog);

test('a primary key is unique and not null', () => {
  const catalog = withTable(column('id', 'integer', { primaryKey: true }));
  insert(catalog, null, [1n]);
  assert.throws(() => insert(catalog, null, [1n]), { code: 'unique_violation' });
  assert.throws(() => insert(catalog, null, [null]), { code: 'not_null_violation' });
});

test('tables that cannot be made', () => {
  const key = { primaryKey: true };
  assert.throws(() => withTable(column('a', 'text', key), column('b', 'text', key)), {
    code: 'multiple_primary_keys',
  });
  assert.throws(() => withTable(column('a', 'text', { default: literal(1n) })), { code: 'type_mismatch' });
  assert.throws(() => withTable(column('a', 'text'), column('a', 'text')), { code: 'duplicate_column' });
});

test('a table is made once and dropped once, unless IF says otherwise', () => {
  const catalog = withTable(column('a', 'text'));
  const again = { table: 't', ifNotExists: false, columns: [column('b', 'text')] };
  assert.throws(() => createTable(again, catalog), { code: 'table_exists' });
  createTable({ ...again, ifNotExists: true }, catalog);
  assert.equal(catalog.find('t').columns[0].name, 'a');
  dropTable({ table: 't', ifExists: false }, catalog);
  assert.throws(() => dropTable({ table: 't', ifExists: false }, catalog), { code: 'no_such_table' });
  dropTable({ table: 't', ifExists: true }, catalog);
});

test('columns that are left out get their default', () => {
  const catalog = withTable(
    column('a', 'integer'),
    column('b', 'real', { default: literal(2n) }),
    column('c', 'text'),
  );
  insert(catalog, ['c', 'a'], ['x', 1]);
  assert.deepEqual(catalog.find('t').rows, [[1n, 2, 'x']]);
});

test('rows that do not fit', () => {
  const catalog = withTable(column('a', 'integer'), column('b', 'text'));
  assert.throws(() => insert(catalog, null, [1n]), { code: 'wrong_column_count' });
  assert.throws(() => insert(catalog, null, [1n, 2n]), { code: 'type_mismatch' });
  assert.throws(() => insert(catalog, ['z'], [1n]), { code: 'no_such_column' });
  assert.throws(() => insert(catalog, null, [1n, 'x'], ['y', 'z']), { code: 'type_mismatch' });
  assert.deepEqual(catalog.find('t').rows, []);
});

test('values are expressions without columns and subqueries', () => {
  const catalog = withTable(column('a', 'integer'));
  const insertValue = (expression) =>
    insertRows({ table: 't', columns: null, rows: [[expression]] }, catalog);
  assert.throws(() => insertValue({ kind: 'column', table: null, name: 'a' }), { code: 'no_such_column' });
  const subquery = { kind: 'subquery', use: 'value', operand: null, query: { kind: 'select' } };
  assert.throws(() => insertValue(subquery), { code: 'misplaced_subquery' });
});

test('each change can be taken back', () => {
  const catalog = withTable(column('a', 'integer', { primaryKey: true }));
  insert(catalog, null, [1n]);
  const undoInsert = insert(catalog, null, [2n], [3n]);
  const undoDrop = dropTable({ table: 't', ifExists: false }, catalog);
  const other = { table: 't', ifNotExists: false, columns: [column('b', 'text')] };
  const undoCreate = createTable(other, catalog);
  const undoNothing = createTable({ ...other, ifNotExists: true }, catalog);
  for (const undo of [undoNothing, undoCreate, undoDrop, undoInsert]) undo();
  assert.deepEqual(catalog.find('t').rows, [[1n]]);
  insert(catalog, null, [2n]);
});
