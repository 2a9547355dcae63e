import { SqlError } from '../errors.mjs';

/**
 * Prepares a subquery: `inputs`, the slots of the outer scope that it reads, and `answer(values)`, its rows for values of
 * these. `planQuery(statement, outer)` prepares a query and gives `{ names, scope, run(outerRow) }`.
 * @throws SqlError wrong_column_count, and what `planQuery` throws
 */
export function prepareSubquery({ use, query }, outer, planQuery) {
  const { names, scope, run } = planQuery(query, outer);
  if (use !== 'exists' && names.length !== 1) {
    throw new SqlError('wrong_column_count', `a subquery for a value has ${names.length} columns`);
  }
  const inputs = scope.borrowed;
  if (inputs.length === 0) return { inputs, answer: once(() => run(outerRow(inputs, [], scope.start))) };
  return { inputs, answer: (values) => run(outerRow(inputs, values, scope.start)) };
}

// A subquery without inputs has the same rows for each row of the query around it.
function once(run) {
  let rows = null;
  return () => (rows ??= run());
}

// Only the columns that are read have to be there. In a query with groups the others have no value at all.
function outerRow(inputs, values, width) {
  const row = new Array(width).fill(null);
  inputs.forEach(({ index }, place) => (row[index] = values[place]));
  return row;
}
