import { bind } from './binder.mjs';
import { holds } from '../core/evaluator.mjs';

/**
 * Adds the tables of FROM to the scope, and gives a function from an outer row to the rows of the scope. Without FROM
 * there is one row that has nothing but the outer one.
 * @throws SqlError no_such_table, duplicate_table, and what the conditions throw
 */
export function readFrom(from, catalog, scope) {
  if (from === null) return (outerRow) => [outerRow];
  // The first table is joined to the outer row alone.
  const joins = [{ ...from, left: false, on: null }, ...from.joins].map(
    ({ table: name, alias, left, on }) => {
      const table = catalog.find(name);
      const columns = table.columns.map((column) => column.name);
      scope.add(alias, columns);
      // Bound here and not later, so that ON cannot see the tables further on.
      const condition = on && bind(on, scope, 'ON');
      return { table, left, condition, noPartner: columns.map(() => null) };
    },
  );
  return (outerRow) => joins.reduce(joinRows, [outerRow]);
}

function joinRows(leftRows, { table, left, condition, noPartner }) {
  const joined = [];
  for (const leftRow of leftRows) {
    const pairs = table.rows.map((row) => [...leftRow, ...row]);
    const kept = condition === null ? pairs : pairs.filter((pair) => holds(condition, pair, 'ON'));
    if (left && kept.length === 0) kept.push([...leftRow, ...noPartner]);
    for (const row of kept) joined.push(row);
  }
  return joined;
}
