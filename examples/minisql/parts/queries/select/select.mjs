import { bind, hasAggregate } from './binder.mjs';
import { SqlError } from '../errors.mjs';
import { evaluate, holds } from '../core/evaluator.mjs';
import { planGroups } from './grouping.mjs';
import { readFrom } from './join.mjs';
import { distinctEntries, sortByKeys } from './ordering.mjs';

/** Runs a query; gives the names of its columns and its rows. @throws SqlError */
export function runSelect(statement, catalog) {
  const source = readFrom(statement.from, catalog);
  const plan = planSelect(statement, source.scope);
  const rows = source.rows().filter((row) => plan.where === null || holds(plan.where, row, 'WHERE'));
  let entries = plan.groupRows(rows).map((row) => ({
    row,
    values: plan.outputs.map((output) => evaluate(output, row)),
  }));
  if (statement.distinct) entries = distinctEntries(entries, (entry) => entry.values);
  if (plan.keys.length > 0) {
    const keysOf = ({ row, values }) =>
      plan.keys.map((key) => ('place' in key ? values[key.place] : evaluate(key, row)));
    entries = sortByKeys(entries, keysOf, statement.orderBy);
  }
  const { limit, offset } = statement;
  const kept = entries.slice(offset, limit === null ? undefined : offset + limit);
  return { columns: plan.names, rows: kept.map((entry) => entry.values) };
}

// Everything that can be checked before a row is read. Keys are expressions, or `{ place }` of an output.
function planSelect(statement, scope) {
  const items = statement.items.flatMap((item) => bindItem(item, scope));
  const names = items.map((item, index) => item.name ?? `column${index + 1}`);
  const outputs = items.map((item) => item.expression);
  const where = statement.where === null ? null : bind(statement.where, scope, 'WHERE');
  const groups = statement.groupBy.map((expression) => bindGroup(expression, outputs, scope));
  const keys = statement.orderBy.map(({ expression }) => bindKey(expression, names, scope));
  const plan = { names, where, outputs, keys, groupRows: (rows) => rows };
  const expressions = [...outputs, ...keys.filter((key) => !('place' in key))];
  if (groups.length === 0 && !expressions.some(hasAggregate)) return plan;
  const grouped = planGroups(groups, expressions);
  const rewritten = grouped.outputs.slice(outputs.length);
  return {
    ...plan,
    outputs: grouped.outputs.slice(0, outputs.length),
    keys: keys.map((key) => ('place' in key ? key : rewritten.shift())),
    groupRows: grouped.groupRows,
  };
}

function bindItem(item, scope) {
  if (item.kind === 'all') {
    return scope
      .columns(item.table)
      .map(({ name, index }) => ({ name, expression: { kind: 'slot', index, name } }));
  }
  const { expression, alias } = item;
  const name = alias ?? (expression.kind === 'column' ? expression.name : null);
  return [{ name, expression: bind(expression, scope) }];
}

function bindGroup(expression, outputs, scope) {
  const place = placeOf(expression, outputs.length, 'GROUP BY');
  if (place === null) return bind(expression, scope, 'GROUP BY');
  if (hasAggregate(outputs[place])) {
    throw new SqlError('misplaced_aggregate', 'an aggregate cannot stand in GROUP BY');
  }
  return outputs[place];
}

function bindKey(expression, names, scope) {
  const place = placeOf(expression, names.length, 'ORDER BY');
  if (place !== null) return { place };
  const named =
    expression.kind === 'column' && expression.table === null ? names.indexOf(expression.name) : -1;
  return named >= 0 ? { place: named } : bind(expression, scope);
}

/** The place, from 0, that an INTEGER literal names; null for any other expression. */
function placeOf(expression, count, clause) {
  if (expression.kind !== 'literal' || typeof expression.value !== 'bigint') return null;
  const place = Number(expression.value) - 1;
  if (place < 0 || place >= count) {
    throw new SqlError('invalid_position', `${clause} ${expression.value}: there are ${count} columns`);
  }
  return place;
}
