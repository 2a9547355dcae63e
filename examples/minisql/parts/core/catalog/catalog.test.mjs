import assert from 'node:assert/strict';
import test from 'node:test';
import { Catalog, Table } from './catalog.mjs';

function people() {
  return new Table('people', [
    { name: 'id', type: 'integer', notNull: true, unique: true, default: null },
    { name: 'mail', type: 'text', notNull: false, unique: true, default: null },
  ]);
}

test('rows are kept in their order', () => {
  const table = people();
  table.append([
    [2n, 'b'],
    [1n, 'a'],
  ]);
  table.append([[3n, null]]);
  assert.deepEqual(table.rows, [
    [2n, 'b'],
    [1n, 'a'],
    [3n, null],
  ]);
});

test('a unique column holds a value once, and NULL as often as you like', () => {
  const table = people();
  table.append([
    [1n, null],
    [2n, null],
    [3n, 'c'],
  ]);
  assert.throws(() => table.append([[4n, 'c']]), { code: 'unique_violation' });
  assert.throws(
    () =>
      table.append([
        [5n, 'd'],
        [5n, 'e'],
      ]),
    { code: 'unique_violation' },
  );
});

test('if one row fails, none is added and no key is taken', () => {
  const table = people();
  assert.throws(
    () =>
      table.append([
        [1n, 'a'],
        [null, 'b'],
      ]),
    { code: 'not_null_violation' },
  );
  assert.deepEqual(table.rows, []);
  table.append([[1n, 'a']]);
  assert.equal(table.rows.length, 1);
});

test('rows are replaced all or none, and the rules are asked of the new ones', () => {
  const table = people();
  table.append([
    [1n, 'a'],
    [2n, 'b'],
  ]);
  table.replace([
    [2n, 'a'],
    [1n, 'b'],
  ]);
  const twice = [
    [3n, 'c'],
    [3n, 'd'],
  ];
  assert.throws(() => table.replace(twice), { code: 'unique_violation' });
  assert.throws(() => table.replace([[null, 'c']]), { code: 'not_null_violation' });
  assert.deepEqual(table.rows, [
    [2n, 'a'],
    [1n, 'b'],
  ]);
  assert.throws(() => table.append([[2n, 'c']]), { code: 'unique_violation' });
});

test('changes are taken back with their keys, the latest first', () => {
  const table = people();
  table.append([[1n, 'a']]);
  const undoAppend = table.append([[2n, 'b']]);
  const undoReplace = table.replace([[3n, 'c']]);
  undoReplace();
  undoAppend();
  assert.deepEqual(table.rows, [[1n, 'a']]);
  assert.throws(() => table.append([[1n, 'x']]), { code: 'unique_violation' });
  table.append([
    [2n, 'b'],
    [3n, 'c'],
  ]);
});

test('columns are found by name', () => {
  assert.deepEqual(people().places(['mail', 'id']), [1, 0]);
  assert.throws(() => people().places(['age']), { code: 'no_such_column' });
  assert.throws(() => people().places(['id', 'id']), { code: 'duplicate_column' });
  assert.throws(() => new Table('t', [{ name: 'a' }, { name: 'a' }]), { code: 'duplicate_column' });
});

test('tables are found by name', () => {
  const catalog = new Catalog();
  assert.throws(() => catalog.find('people'), { code: 'no_such_table' });
  catalog.add(people());
  assert.equal(catalog.find('people').name, 'people');
  assert.throws(() => catalog.add(people()), { code: 'table_exists' });
  const undoRemove = catalog.remove('people');
  assert.equal(catalog.has('people'), false);
  undoRemove();
  assert.equal(catalog.has('people'), true);
  catalog.remove('people');
  const undoAdd = catalog.add(people());
  undoAdd();
  assert.throws(() => catalog.remove('people'), { code: 'no_such_table' });
});
