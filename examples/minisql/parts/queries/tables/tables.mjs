import { bind, Scope } from './binder.mjs';
import { Table } from '../core/catalog.mjs';
import { SqlError } from '../errors.mjs';
import { evaluate } from '../core/evaluator.mjs';
import { storeAs } from '../core/values.mjs';

const nothing = () => {};

// Each statement gives a function that takes its change back.

/** CREATE TABLE. @throws SqlError table_exists, duplicate_column, multiple_primary_keys, type_mismatch */
export function createTable({ table, ifNotExists, columns }, catalog) {
  if (ifNotExists && catalog.has(table)) return nothing;
  if (columns.filter((column) => column.primaryKey).length > 1) {
    throw new SqlError('multiple_primary_keys', `table ${table} has several primary keys`);
  }
  const stored = columns.map(({ name, type, notNull, unique, primaryKey, default: literal }) => ({
    name,
    type,
    notNull: notNull || primaryKey,
    unique: unique || primaryKey,
    default: literal === null ? null : storeAs(literal.value, type, name),
  }));
  return catalog.add(new Table(table, stored));
}

/** DROP TABLE. @throws SqlError no_such_table */
export function dropTable({ table, ifExists }, catalog) {
  if (ifExists && !catalog.has(table)) return nothing;
  return catalog.remove(table);
}

/** INSERT: all rows, or none if one fails. @throws SqlError */
export function insertRows({ table: name, columns, rows }, catalog) {
  const table = catalog.find(name);
  const places = table.places(columns ?? table.columns.map((column) => column.name));
  const noColumns = new Scope();
  const bound = rows.map((row) => {
    if (row.length !== places.length) {
      throw new SqlError(
        'wrong_column_count',
        `${places.length} values wanted for ${name}, found ${row.length}`,
      );
    }
    return row.map((expression) => bind(expression, noColumns, 'VALUES'));
  });
  return table.append(bound.map((row) => storedRow(table, places, row)));
}

function storedRow(table, places, expressions) {
  const row = table.columns.map((column) => column.default);
  places.forEach((place, index) => {
    const { name, type } = table.columns[place];
    row[place] = storeAs(evaluate(expressions[index], []), type, name);
  });
  return row;
}
