import assert from 'node:assert/strict';
import test from 'node:test';
import { Catalog, Table } from '../core/catalog.mjs';
import { Scope } from './binder.mjs';
import { readFrom } from './join.mjs';

const column = (name, table = null) => ({ kind: 'column', table, name });
const equal = (left, right) => ({ kind: 'binary', operator: '=', left, right });
const literal = (value) => ({ kind: 'literal', value });

const rowsOf = (from, outerRow = []) => readFrom(from, twoTables(), new Scope())(outerRow);

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
  assert.deepEqual(rowsOf(null), [[]]);
});

test('pairs for which the condition is TRUE, in the order of the left table', () => {
  const on = equal(column('id', 'a'), column('id', 'b'));
  assert.deepEqual(rowsOf({ table: 'a', alias: 'a', joins: [{ table: 'b', alias: 'b', left: false, on }] }), [
    [1n, 10n, 1n, 8n],
    [1n, 10n, 1n, 9n],
    [2n, 20n, 2n, 7n],
  ]);
});

test('a left join keeps rows without a pair, in their place', () => {
  const big = { kind: 'binary', operator: '>', left: column('y', 'b'), right: literal(7n) };
  const on = {
    kind: 'binary',
    operator: 'AND',
    left: equal(column('id', 'a'), column('id', 'b')),
    right: big,
  };
  const joins = [{ table: 'b', alias: 'b', left: true, on }];
  assert.deepEqual(rowsOf({ table: 'a', alias: 'a', joins }), [
    [1n, 10n, 1n, 8n],
    [1n, 10n, 1n, 9n],
    [2n, 20n, null, null],
    [null, 30n, null, null],
  ]);
});

test('a join takes the NULLs of a left join before it', () => {
  const joins = [
    { table: 'b', alias: 'b', left: true, on: equal(column('y', 'b'), literal(7n)) },
    { table: 'a', alias: 'c', left: true, on: equal(column('id', 'c'), column('id', 'b')) },
  ];
  const rows = rowsOf({ table: 'a', alias: 'a', joins });
  assert.deepEqual(
    rows.map((row) => row.slice(2)),
    rows.map(() => [2n, 7n, 2n, 20n]),
  );
  joins[0].on = literal(false);
  assert.deepEqual(rowsOf({ table: 'a', alias: 'a', joins })[0], [1n, 10n, null, null, null, null]);
});

test('the outer row comes first, also without FROM', () => {
  assert.deepEqual(rowsOf(null, ['o']), [['o']]);
  const outer = new Scope();
  outer.add('o', ['id']);
  const on = equal(column('id', 'o'), column('y', 'b'));
  const from = { table: 'a', alias: 'a', joins: [{ table: 'b', alias: 'b', left: false, on }] };
  const readRows = readFrom(from, twoTables(), new Scope({ outer }));
  assert.deepEqual(readRows([8n])[0], [8n, 1n, 10n, 1n, 8n]);
  assert.deepEqual(readRows([5n]), []);
});

test('a table joins itself under an alias only', () => {
  const joined = (alias) => ({
    table: 'a',
    alias: 'a',
    joins: [{ table: 'a', alias, left: false, on: literal(true) }],
  });
  assert.equal(rowsOf(joined('again')).length, 9);
  assert.throws(() => rowsOf(joined('a')), { code: 'duplicate_table' });
});

test('ON sees the tables up to its own', () => {
  const joins = [
    { table: 'b', alias: 'b', left: false, on: equal(column('id', 'c'), literal(1n)) },
    { table: 'a', alias: 'c', left: false, on: literal(true) },
  ];
  assert.throws(() => readFrom({ table: 'a', alias: 'a', joins }, twoTables(), new Scope()), {
    code: 'no_such_column',
  });
});

test('ON takes a boolean', () => {
  const joins = [{ table: 'b', alias: 'b', left: false, on: literal(1n) }];
  assert.throws(() => rowsOf({ table: 'a', alias: 'a', joins }), { code: 'type_mismatch' });
  assert.throws(() => rowsOf({ table: 'z', alias: 'z', joins: [] }), { code: 'no_such_table' });
});
