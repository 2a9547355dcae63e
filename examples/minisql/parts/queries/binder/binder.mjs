import { isAggregate } from '../core/aggregates.mjs';
import { SqlError } from '../errors.mjs';
import { checkCall } from '../core/functions.mjs';

/**
 * The columns that expressions of a query can name. A row has their values side by side, in the same order. In a subquery
 * the row of the query around it, `outer`, comes first, so that its columns keep their places.
 */
export class Scope {
  #outer;
  #columns = [];
  #tables = new Set();
  #borrowed = new Map();

  /** `bindSubquery(expression, scope)` binds a subquery; without it there can be none. */
  constructor({ outer = null, bindSubquery = refuseSubquery } = {}) {
    this.#outer = outer;
    /** The place of the first column that is not one of `outer`. */
    this.start = outer?.width ?? 0;
    this.bindSubquery = bindSubquery;
  }

  /** The length of a row. */
  get width() {
    return this.start + this.#columns.length;
  }

  /** Slots for the columns of `outer` that were named so far. */
  get borrowed() {
    return [...this.#borrowed.values()];
  }

  /** Adds a table under the name by which the query knows it. @throws SqlError duplicate_table */
  add(table, columnNames) {
    if (this.#tables.has(table)) throw new SqlError('duplicate_table', `two tables are called ${table}`);
    this.#tables.add(table);
    for (const name of columnNames) this.#columns.push({ table, name, index: this.width });
  }

  /** The slot of a column: its place in a row. @throws SqlError no_such_column, ambiguous_column */
  resolve(table, name) {
    const found = this.#columns.filter(
      (column) => column.name === name && (table === null || column.table === table),
    );
    const written = table === null ? name : `${table}.${name}`;
    if (found.length > 1) throw new SqlError('ambiguous_column', `several tables have a column ${written}`);
    if (found.length === 1) return { kind: 'slot', index: found[0].index, name };
    if (this.#outer === null || this.#tables.has(table)) {
      throw new SqlError('no_such_column', `no such column: ${written}`);
    }
    const slot = this.#outer.resolve(table, name);
    this.#borrowed.set(slot.index, slot);
    return slot;
  }

  /** `{ name, index }` of all columns, or of those of one table. @throws SqlError no_such_table */
  columns(table = null) {
    if (table !== null && !this.#tables.has(table))
      throw new SqlError('no_such_table', `no such table: ${table}`);
    return this.#columns.filter((column) => table === null || column.table === table);
  }
}

function refuseSubquery() {
  throw new SqlError('misplaced_subquery', 'a subquery cannot stand here');
}

/** The expression with `change` made to each of its direct parts. Of a subquery these are its operand and its inputs. */
export function mapParts(expression, change) {
  const changeIfAny = (part) => part && change(part);
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
    case 'like': {
      const { operand, pattern, escape } = expression;
      return {
        ...expression,
        operand: change(operand),
        pattern: change(pattern),
        escape: changeIfAny(escape),
      };
    }
    case 'between': {
      const { operand, low, high } = expression;
      return { ...expression, operand: change(operand), low: change(low), high: change(high) };
    }
    case 'in': {
      const { operand, choices } = expression;
      return { ...expression, operand: change(operand), choices: choices.map(change) };
    }
    case 'case': {
      const { operand, branches, otherwise } = expression;
      return {
        ...expression,
        operand: changeIfAny(operand),
        branches: branches.map(({ when, then }) => ({ when: change(when), then: change(then) })),
        otherwise: changeIfAny(otherwise),
      };
    }
    case 'subquery': {
      const { operand, inputs } = expression;
      return { ...expression, operand: changeIfAny(operand), inputs: inputs.map(change) };
    }
    default:
      return expression;
  }
}

/**
 * The expression with its columns as `{ kind: 'slot', index, name }`, its aggregates as
 * `{ kind: 'aggregate', name, distinct, star, args }` and its subqueries with their inputs, all names and calls checked.
 * `place` names where it stands if no aggregate may stand there; without it aggregates are welcome.
 * @throws SqlError no_such_column, ambiguous_column, no_such_function, wrong_argument_count, misplaced_aggregate,
 *   misplaced_subquery, syntax_error
 */
export function bind(expression, scope, place) {
  const bindPart = (part) => bind(part, scope, place);
  switch (expression.kind) {
    case 'column':
      return scope.resolve(expression.table, expression.name);
    case 'subquery': {
      const { inputs, answer } = scope.bindSubquery(expression, scope);
      return { ...expression, operand: expression.operand && bindPart(expression.operand), inputs, answer };
    }
    case 'call':
      if (isAggregate(expression.name)) return bindAggregate(expression, scope, place);
      checkCall(expression.name, expression.args.length);
      if (expression.distinct) {
        throw new SqlError('syntax_error', `${expression.name} is no aggregate and cannot take DISTINCT`);
      }
      return mapParts(expression, bindPart);
    default:
      return mapParts(expression, bindPart);
  }
}

function bindAggregate({ name, distinct, star, args }, scope, place) {
  if (place) throw new SqlError('misplaced_aggregate', `${name} cannot stand in ${place}`);
  if (!star && args.length !== 1) throw new SqlError('wrong_argument_count', `${name} takes one argument`);
  const bound = args.map((argument) => bind(argument, scope, 'another aggregate'));
  return { kind: 'aggregate', name, distinct, star, args: bound };
}

/** True if an expression of the kind is somewhere in the bound expression; what is inside of subqueries does not count. */
export function hasKind(expression, kind) {
  if (expression.kind === kind) return true;
  let found = false;
  mapParts(expression, (part) => {
    found ||= hasKind(part, kind);
    return part;
  });
  return found;
}
