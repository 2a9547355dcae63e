import { SqlError } from '../errors.mjs';

/**
 * A table: columns `{ name, type, notNull, unique, default }`, and rows as arrays of values in their order. What changes it
 * gives a function that takes the change back; the latest change must be taken back first.
 */
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
    const added = this.columns.map((_, place) => this.#keysOf(place, rows, this.#keys[place]));
    added.forEach((values, place) => values?.forEach((value) => this.#keys[place].add(value)));
    for (const row of rows) this.rows.push(row);
    return () => {
      this.rows.length -= rows.length;
      added.forEach((values, place) => values?.forEach((value) => this.#keys[place].delete(value)));
    };
  }

  /** Puts other rows in the place of all, or, if one breaks a rule, none. @throws SqlError as `append` does */
  replace(rows) {
    const [rowsBefore, keysBefore] = [this.rows, this.#keys];
    this.#keys = this.columns.map((_, place) => this.#keysOf(place, rows));
    this.rows = rows;
    return () => {
      this.rows = rowsBefore;
      this.#keys = keysBefore;
    };
  }

  // The values that become keys of the column: none of them twice, none of those that are taken. Null if it has no keys.
  #keysOf(place, rows, taken = new Set()) {
    const { name, notNull, unique } = this.columns[place];
    if (notNull && rows.some((row) => row[place] === null)) {
      throw violation('not_null_violation', this.name, name, 'cannot be NULL');
    }
    if (!unique) return null;
    const keys = new Set();
    for (const row of rows) {
      const value = row[place];
      if (value === null) continue;
      if (keys.has(value) || taken.has(value)) {
        throw violation('unique_violation', this.name, name, `already holds ${value}`);
      }
      keys.add(value);
    }
    return keys;
  }
}

function violation(code, table, column, problem) {
  return new SqlError(code, `column ${column} of table ${table} ${problem}`);
}

function refuseTwins(names) {
  const twin = names.find((name, place) => names.indexOf(name) !== place);
  if (twin !== undefined) throw new SqlError('duplicate_column', `column ${twin} is named twice`);
}

/** The tables of a database, by their names. What changes it gives a function that takes the change back. */
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
    return () => this.#tables.delete(table.name);
  }

  /** @throws SqlError no_such_table */
  remove(name) {
    const table = this.find(name);
    this.#tables.delete(name);
    return () => this.#tables.set(name, table);
  }
}
