import { isAggregate } from '../core/aggregates.mjs';
import { SqlError } from '../errors.mjs';
import { checkCall } from '../core/functions.mjs';

/** The columns that expressions of a query can name. A row has their values side by side, in the same order. */
export class Scope {
  #columns = [];
  #tables = new Set();

  /** Adds a table under the name by which the query knows it. @throws SqlError duplicate_table */
  add(table, columnNames) {
    if (this.#tables.has(table)) throw new SqlError('duplicate_table', `two tables are called ${table}`);
    this.#tables.add(table);
    for (const name of columnNames) this.#columns.push({ table, name, index: this.#columns.length });
  }

  /** The place of a column in a row. @throws SqlError no_such_column, ambiguous_column */
  resolve(table, name) {
    const found = this.#columns.filter(
      (column) => column.name === name && (table === null || column.table === table),
    );
    const written = table === null ? name : `${table}.${name}`;
    if (found.length === 0) throw new SqlError('no_such_column', `no such column: ${written}`);
    if (found.length > 1) throw new SqlError('ambiguous_column', `several tables have a column ${written}`);
    return found[0].index;
  }

  /** `{ name, index }` of all columns, or of those of one table. @throws SqlError no_such_table */
  columns(table = null) {
    if (table !== null && !this.#tables.has(table))
      throw new SqlError('no_such_table', `no such table: ${table}`);
    return this.#columns.filter((column) => table === null || column.table === table);
  }
}

/** The expression with `change` made to each of its direct parts. */
export function mapParts(expression, change) {
  switch (expression.kind) {
    case 'unary':
    case 'is-null':
    case 'cast':
      return { ...expression, operand: change(expression.operand) };
    case 'binary':
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    case 'call':
    case 'aggregate':
      return { ...expression, args: expression.args.map(change) };
    default:
      return expression;
  }
}

/**
 * The expression with its columns as `{ kind: 'slot', index, name }` and its aggregates as
 * `{ kind: 'aggregate', name, distinct, star, args }`, all names and calls checked. `place` names where it stands if no
 * aggregate may stand there; without it aggregates are welcome.
 * @throws SqlError no_such_column, ambiguous_column, no_such_function, wrong_argument_count, misplaced_aggregate,
 *   syntax_error
 */
export function bind(expression, scope, place) {
  if (expression.kind === 'column') {
    const { table, name } = expression;
    return { kind: 'slot', index: scope.resolve(table, name), name };
  }
  if (expression.kind !== 'call') return mapParts(expression, (part) => bind(part, scope, place));
  const { name, distinct, star, args } = expression;
  if (isAggregate(name)) {
    if (place) throw new SqlError('misplaced_aggregate', `${name} cannot stand in ${place}`);
    if (!star && args.length !== 1) throw new SqlError('wrong_argument_count', `${name} takes one argument`);
    const bound = args.map((argument) => bind(argument, scope, 'another aggregate'));
    return { kind: 'aggregate', name, distinct, star, args: bound };
  }
  checkCall(name, args.length);
  if (distinct) throw new SqlError('syntax_error', `${name} is no aggregate and cannot take DISTINCT`);
  return mapParts(expression, (part) => bind(part, scope, place));
}

/** True if an aggregate is somewhere in the bound expression. */
export function hasAggregate(expression) {
  if (expression.kind === 'aggregate') return true;
  let found = false;
  mapParts(expression, (part) => {
    found ||= hasAggregate(part);
    return part;
  });
  return found;
}
