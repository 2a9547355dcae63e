import { SqlError } from '../errors.mjs';

/** A table: columns `{ name, type, notNull, unique, default }`, and rows as arrays of values in their order. */
export class Table {
  #keys;

  constructor(name, columns) {
    refuseTwins(columns.map((column) => column.name));
    this.name = name;
    this.columns = columns;
    this.rows = [];
    // A column holds values of one type, so the values themselves can be the keys.
    this.#keys = columns.map((column) => (column.unique ? new Set() : null));
  }

  /** The places of columns by their names. @throws SqlError no_such_column, duplicate_column */
  places(names) {
    refuseTwins(names);
    return names.map((name) => {
      const place = this.columns.findIndex((column) => column.name === name);
      if (place < 0) throw new SqlError('no_such_column', `table ${this.name} has no column ${name}`);
      return place;
    });
  }

  /** Adds all rows or, if one breaks a rule, none. @throws SqlError not_null_violation, unique_violation */
  append(rows) {
    const added = this.columns.map((column, place) => this.#check(column, place, rows));
    added.forEach((values, place) => values.forEach((value) => this.#keys[place].add(value)));
    for (const row of rows) this.rows.push(row);
  }

  // Gives the values that become keys of the column.
  #check(column, place, rows) {
    const fresh = new Set();
    for (const row of rows) {
      const value = row[place];
      if (value === null) {
        if (column.notNull) throw violation('not_null_violation', this.name, column.name, 'cannot be NULL');
      } else if (column.unique) {
        if (fresh.has(value) || this.#keys[place].has(value)) {
          throw violation('unique_violation', this.name, column.name, `already holds ${value}`);
        }
        fresh.add(value);
      }
    }
    return fresh;
  }
}

function violation(code, table, column, problem) {
  return new SqlError(code, `column ${column} of table ${table} ${problem}`);
}

function refuseTwins(names) {
  const twin = names.find((name, place) => names.indexOf(name) !== place);
  if (twin !== undefined) throw new SqlError('duplicate_column', `column ${twin} is named twice`);
}

/** The tables of a database, by their names. */
export class Catalog {
  #tables = new Map();

  has(name) {
    return this.#tables.has(name);
  }

  /** @throws SqlError no_such_table */
  find(name) {
    const table = this.#tables.get(name);
    if (!table) throw new SqlError('no_such_table', `no such table: ${name}`);
    return table;
  }

  /** @throws SqlError table_exists */
  add(table) {
    if (this.has(table.name)) throw new SqlError('table_exists', `there is a table ${table.name} already`);
    this.#tables.set(table.name, table);
  }

  /** @throws SqlError no_such_table */
  remove(name) {
    this.find(name);
    this.#tables.delete(name);
  }
}
