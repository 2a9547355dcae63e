import assert from 'node:assert/strict';
import test from 'node:test';
import { Catalog, Table } from '../core/catalog.mjs';
import { readFrom } from './join.mjs';

const column = (name, table = null) => ({ kind: 'column', table, name });
const equal = (left, right) => ({ kind: 'binary', operator: '=', left, right });
const literal = (value) => ({ kind: 'literal', value });

function twoTables() {
  const catalog = new Catalog();
  const columns = (...names) =>
    names.map((name) => ({ name, type: 'integer', notNull: false, unique: false, default: null }));
  const a = new Table('a', columns('id', 'x'));
  const b = new Table('b', columns('id', 'y'));
  a.append([
    [1n, 10n],
    [2n, 20n],
    [null, 30n],
  ]);
  b.append([
    [2n, 7n],
    [1n, 8n],
    [1n, 9n],
    [null, 6n],
  ]);
  catalog.add(a);
  catalog.add(b);
  return catalog;
}

test('no FROM is one empty row', () => {
  assert.deepEqual(readFrom(null, twoTables()).rows(), [[]]);
});

test('pairs for which the condition is TRUE, in the order of the left table', () => {
  const on = equal(column('id', 'a'), column('id', 'b'));
  const { rows } = readFrom({ table: 'a', alias: 'a', joins: [{ table: 'b', alias: 'b', on }] }, twoTables());
  assert.deepEqual(rows(), [
    [1n, 10n, 1n, 8n],
    [1n, 10n, 1n, 9n],
    [2n, 20n, 2n, 7n],
  ]);
});

test('a table joins itself under an alias only', () => {
  const joined = (alias) => ({ table: 'a', alias: 'a', joins: [{ table: 'a', alias, on: literal(true) }] });
  assert.equal(readFrom(joined('again'), twoTables()).rows().length, 9);
  assert.throws(() => readFrom(joined('a'), twoTables()), { code: 'duplicate_table' });
});

test('ON sees the tables up to its own', () => {
  const joins = [
    { table: 'b', alias: 'b', on: equal(column('id', 'c'), literal(1n)) },
    { table: 'a', alias: 'c', on: literal(true) },
  ];
  assert.throws(() => readFrom({ table: 'a', alias: 'a', joins }, twoTables()), { code: 'no_such_column' });
});

test('ON takes a boolean', () => {
  const joins = [{ table: 'b', alias: 'b', on: literal(1n) }];
  assert.throws(() => readFrom({ table: 'a', alias: 'a', joins }, twoTables()).rows(), {
    code: 'type_mismatch',
  });
  assert.throws(() => readFrom({ table: 'z', alias: 'z', joins: [] }, twoTables()), {
    code: 'no_such_table',
  });
});
