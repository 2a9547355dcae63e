import { bind } from './binder.mjs';
import { evaluate, holds } from '../core/evaluator.mjs';
import { storeAs } from '../core/values.mjs';
import { scopeOn } from './select.mjs';

// Both statements make all new rows before the table changes, so that their subqueries see it as it was. Both give a
// function that takes the change back.

/** UPDATE: all rows, or none if one fails. @throws SqlError */
export function updateRows({ table: name, assignments, where }, catalog) {
  const { table, scope, isMeant } = open(name, where, catalog);
  const places = table.places(assignments.map(({ column }) => column));
  const values = assignments.map(({ value }) => bind(value, scope, 'SET'));
  const changed = (row) => {
    const copy = [...row];
    places.forEach((place, index) => {
      const column = table.columns[place];
      copy[place] = storeAs(evaluate(values[index], row), column.type, column.name);
    });
    return copy;
  };
  return table.replace(table.rows.map((row) => (isMeant(row) ? changed(row) : row)));
}

/** DELETE. @throws SqlError */
export function deleteRows({ table: name, where }, catalog) {
  const { table, isMeant } = open(name, where, catalog);
  return table.replace(table.rows.filter((row) => !isMeant(row)));
}

function open(name, where, catalog) {
  const table = catalog.find(name);
  const scope = scopeOn(catalog);
  scope.add(
    name,
    table.columns.map((column) => column.name),
  );
  const condition = where && bind(where, scope, 'WHERE');
  return { table, scope, isMeant: (row) => condition === null || holds(condition, row, 'WHERE') };
}
