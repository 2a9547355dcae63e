import { bind, Scope } from './binder.mjs';
import { holds } from '../core/evaluator.mjs';

/**
 * What FROM gives: the scope of its columns, and its rows. Without FROM there is one row without columns.
 * @throws SqlError no_such_table, duplicate_table, and what the conditions throw
 */
export function readFrom(from, catalog) {
  const scope = new Scope();
  if (from === null) return { scope, rows: () => [[]] };
  const first = open(from, catalog, scope);
  const joins = from.joins.map((join) => {
    const table = open(join, catalog, scope);
    // Bound here and not later, so that ON cannot see the tables further on.
    return { table, condition: bind(join.on, scope, 'ON') };
  });
  return { scope, rows: () => joins.reduce(joinRows, first.rows) };
}

function open({ table: name, alias }, catalog, scope) {
  const table = catalog.find(name);
  scope.add(
    alias,
    table.columns.map((column) => column.name),
  );
  return table;
}

function joinRows(leftRows, { table, condition }) {
  const joined = [];
  for (const left of leftRows) {
    for (const right of table.rows) {
      const row = [...left, ...right];
      if (holds(condition, row, 'ON')) joined.push(row);
    }
  }
  return joined;
}
