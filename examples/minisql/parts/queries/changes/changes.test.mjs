import assert from 'node:assert/strict';
import test from 'node:test';
import { deleteRows, updateRows } from './changes.mjs';
import { Catalog, Table } from '../core/catalog.mjs';

const column = (name) => ({ kind: 'column', table: null, name });
const literal = (value) => ({ kind: 'literal', value });
const binary = (left, operator, right) => ({ kind: 'binary', operator, left, right });

function withRows() {
  const catalog = new Catalog();
  const table = new Table('t', [
    { name: 'id', type: 'integer', notNull: true, unique: true, default: null },
    { name: 'score', type: 'real', notNull: false, unique: false, default: null },
  ]);
  table.append([
    [1n, 10],
    [2n, 20],
    [3n, null],
  ]);
  catalog.add(table);
  return { catalog, rows: () => catalog.find('t').rows };
}

const update = (catalog, set, where = null) => {
  const assignments = Object.entries(set).map(([name, value]) => ({ column: name, value }));
  return updateRows({ table: 't', assignments, where }, catalog);
};

test('UPDATE changes the rows for which the condition is TRUE', () => {
  const { catalog, rows } = withRows();
  update(catalog, { score: literal(5n) }, binary(column('score'), '>', literal(10n)));
  assert.deepEqual(rows(), [
    [1n, 10],
    [2n, 5],
    [3n, null],
  ]);
});

test('all expressions see the row as it was', () => {
  const { catalog, rows } = withRows();
  update(catalog, { score: column('id'), id: binary(column('id'), '+', literal(1n)) });
  assert.deepEqual(rows(), [
    [2n, 1],
    [3n, 2],
    [4n, 3],
  ]);
});

test('if one row fails, none is changed', () => {
  const { catalog, rows } = withRows();
  const before = rows().map((row) => [...row]);
  const refused = (set, code) => assert.throws(() => update(catalog, set), { code });
  refused({ id: literal(7n) }, 'unique_violation');
  refused({ id: literal(null) }, 'not_null_violation');
  refused({ score: literal('x') }, 'type_mismatch');
  refused({ score: binary(literal(1n), '/', binary(column('id'), '-', literal(3n))) }, 'division_by_zero');
  assert.deepEqual(rows(), before);
});

test('names are checked, and aggregates have no place', () => {
  const { catalog } = withRows();
  const count = { kind: 'call', name: 'count', distinct: false, star: true, args: [] };
  const refused = (set, code, where) => assert.throws(() => update(catalog, set, where), { code });
  refused({ size: literal(1n) }, 'no_such_column');
  refused({ score: column('size') }, 'no_such_column');
  refused({ score: count }, 'misplaced_aggregate');
  refused({ score: literal(1n) }, 'misplaced_aggregate', count);
  refused({ score: literal(1n) }, 'type_mismatch', column('id'));
  const twice = [1n, 2n].map((value) => ({ column: 'id', value: literal(value) }));
  assert.throws(() => updateRows({ table: 't', assignments: twice, where: null }, catalog), {
    code: 'duplicate_column',
  });
  assert.throws(() => deleteRows({ table: 'u', where: null }, catalog), { code: 'no_such_table' });
});

test('DELETE keeps the others in their order, and frees their values', () => {
  const { catalog, rows } = withRows();
  deleteRows({ table: 't', where: binary(column('score'), '=', literal(20n)) }, catalog);
  assert.deepEqual(rows(), [
    [1n, 10],
    [3n, null],
  ]);
  catalog.find('t').append([[2n, null]]);
  deleteRows({ table: 't', where: null }, catalog);
  assert.deepEqual(rows(), []);
});

test('subqueries see the table as it was', () => {
  const { catalog, rows } = withRows();
  const greatest = { kind: 'call', name: 'max', distinct: false, star: false, args: [column('id')] };
  const query = {
    kind: 'select',
    distinct: false,
    items: [{ kind: 'expression', expression: greatest, alias: null }],
    from: { table: 't', alias: 't', joins: [] },
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
    offset: 0,
  };
  const next = binary(column('id'), '+', { kind: 'subquery', use: 'value', operand: null, query });
  update(catalog, { id: next });
  assert.deepEqual(
    rows().map(([id]) => id),
    [4n, 5n, 6n],
  );
});

test('changes are taken back', () => {
  const { catalog, rows } = withRows();
  const before = rows();
  const undoUpdate = update(catalog, { score: literal(0n) });
  const undoDelete = deleteRows({ table: 't', where: null }, catalog);
  undoDelete();
  undoUpdate();
  assert.deepEqual(rows(), before);
});
