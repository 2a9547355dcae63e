import { bind, hasKind, Scope } from './binder.mjs';
import { SqlError } from '../errors.mjs';
import { evaluate, holds } from '../core/evaluator.mjs';
import { planGroups } from './grouping.mjs';
import { readFrom } from './join.mjs';
import { distinctEntries, sortByKeys } from './ordering.mjs';
import { prepareSubquery } from './subqueries.mjs';

/** Runs a query; gives the names of its columns and its rows. @throws SqlError */
export function runSelect(statement, catalog) {
  const { names, run } = planQuery(statement, catalog);
  return { columns: names, rows: run([]) };
}

/** A scope without tables yet, in which expressions may have subqueries. */
export function scopeOn(catalog, outer = null) {
  const plan = (statement, around) => planQuery(statement, catalog, around);
  return new Scope({ outer, bindSubquery: (expression, scope) => prepareSubquery(expression, scope, plan) });
}

// Everything that can be checked is checked here, before `run` reads a row.
function planQuery(statement, catalog, outer = null) {
  const scope = scopeOn(catalog, outer);
  const readRows = readFrom(statement.from, catalog, scope);
  const plan = planStages(statement, scope);
  return { names: plan.names, scope, run: (outerRow) => runStages(statement, plan, readRows, outerRow) };
}

function runStages({ distinct, orderBy, limit, offset }, plan, readRows, outerRow) {
  const keep = (rows, condition, clause) =>
    condition === null ? rows : rows.filter((row) => holds(condition, row, clause));
  const rows = plan.groupRows(keep(readRows(outerRow), plan.where, 'WHERE'), outerRow);
  let entries = keep(rows, plan.having, 'HAVING').map((row) => ({
    row,
    values: plan.outputs.map((output) => evaluate(output, row)),
  }));
  if (distinct) entries = distinctEntries(entries, (entry) => entry.values);
  if (plan.keys.length > 0) {
    const keysOf = ({ row, values }) =>
      plan.keys.map((key) => ('place' in key ? values[key.place] : evaluate(key, row)));
    entries = sortByKeys(entries, keysOf, orderBy);
  }
  const kept = entries.slice(offset, limit === null ? undefined : offset + limit);
  return kept.map((entry) => entry.values);
}

// Keys are expressions, or `{ place }` of an output.
function planStages(statement, scope) {
  const items = statement.items.flatMap((item) => bindItem(item, scope));
  const names = items.map((item, index) => item.name ?? `column${index + 1}`);
  const outputs = items.map((item) => item.expression);
  const where = statement.where && bind(statement.where, scope, 'WHERE');
  const groups = statement.groupBy.map((expression) => bindGroup(expression, outputs, scope));
  const having = statement.having && bind(statement.having, scope);
  const keys = statement.orderBy.map(({ expression }) => bindKey(expression, names, scope));
  const plan = { names, where, having, outputs, keys, groupRows: (rows) => rows };
  const expressions = [...outputs, ...keys.filter((key) => !('place' in key))];
  const isGrouped =
    groups.length > 0 || having !== null || expressions.some((part) => hasKind(part, 'aggregate'));
  return isGrouped ? planGrouped(plan, groups, scope) : plan;
}

// The same plan, with expressions on the rows of groups.
function planGrouped(plan, groups, scope) {
  const { rewrite, groupRows } = planGroups(groups, scope.start);
  return {
    ...plan,
    outputs: plan.outputs.map(rewrite),
    having: plan.having && rewrite(plan.having),
    keys: plan.keys.map((key) => ('place' in key ? key : rewrite(key))),
    groupRows,
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
  const group = place === null ? bind(expression, scope, 'GROUP BY') : outputs[place];
  for (const kind of ['aggregate', 'subquery']) {
    if (hasKind(group, kind)) throw new SqlError(`misplaced_${kind}`, `a ${kind} cannot stand in GROUP BY`);
  }
  return group;
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
