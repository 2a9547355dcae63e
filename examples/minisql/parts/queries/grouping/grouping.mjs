import { aggregate } from '../core/aggregates.mjs';
import { mapParts } from './binder.mjs';
import { SqlError } from '../errors.mjs';
import { evaluate } from '../core/evaluator.mjs';
import { keyOfRow } from '../core/values.mjs';

/**
 * Prepares a query with groups; `keys` are bound expressions. `rewrite` makes of a bound expression one on the row of a
 * group, which has the values of the keys and behind them those of all aggregates that were rewritten; it throws a SqlError
 * not_grouped. `groupRows` makes these rows, once everything is rewritten. Columns of the query around it, those before
 * `start`, have one value for all rows: they keep their places.
 */
export function planGroups(keys, start = 0) {
  const keySigns = keys.map(signOf);
  const aggregates = [];
  const rewrite = (expression) => {
    const place = keySigns.indexOf(signOf(expression));
    if (place >= 0) return { kind: 'slot', index: start + place };
    if (expression.kind === 'aggregate') {
      aggregates.push(expression);
      return { kind: 'slot', index: start + keys.length + aggregates.length - 1 };
    }
    if (expression.kind === 'slot') {
      if (expression.index < start) return expression;
      throw new SqlError('not_grouped', `column ${expression.name} is neither grouped nor aggregated`);
    }
    return mapParts(expression, rewrite);
  };
  return { rewrite, groupRows: (rows, outerRow = []) => groupRows(keys, aggregates, rows, outerRow) };
}

/** Equal for expressions that are built in the same way from the same parts. */
function signOf(expression) {
  return JSON.stringify(expression, (_, value) =>
    typeof value === 'bigint' ? { integer: String(value) } : value,
  );
}

function groupRows(keys, aggregates, rows, outerRow) {
  const groups = new Map();
  // Without keys all rows are one group, even if there are none.
  if (keys.length === 0) groups.set(keyOfRow([]), { values: [], rows: [] });
  for (const row of rows) {
    const values = keys.map((key) => evaluate(key, row));
    const key = keyOfRow(values);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { values, rows: [row] });
  }
  return [...groups.values()].map((group) => [
    ...outerRow,
    ...group.values,
    ...aggregates.map((expression) => aggregateOf(expression, group.rows)),
  ]);
}

function aggregateOf({ name, distinct, star, args }, rows) {
  return aggregate(
    name,
    distinct,
    rows.map((row) => (star ? true : evaluate(args[0], row))),
  );
}
