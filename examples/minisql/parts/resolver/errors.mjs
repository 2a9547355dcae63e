/** Every code that an answer may carry. The module that brings in a code of its own adds its line here. */
export const errorCodes = new Map([
  ['syntax_error', 'the statement is not of this language'],
  ['type_mismatch', 'a value has a type that does not fit'],
  ['out_of_range', 'a number does not fit in its type'],
  ['division_by_zero', 'the right operand of / or % is zero'],
  ['invalid_argument', 'a function cannot take this value'],
  ['invalid_position', 'ORDER BY or GROUP BY names a place that no item has'],
  ['no_such_function', 'the function is unknown'],
  ['wrong_argument_count', 'a function has too many or too few arguments'],
  ['no_such_column', 'the column is unknown'],
  ['ambiguous_column', 'several tables have the column'],
  ['misplaced_aggregate', 'an aggregate where none may stand'],
  ['misplaced_subquery', 'a subquery where none may stand'],
  ['not_grouped', 'a column that is neither grouped nor aggregated'],
  ['too_many_rows', 'a subquery that stands for one value has several rows'],
  ['bad_request', 'a line of input is not a request'],
  ['internal_error', 'a defect of the engine'],
  ['invalid_cast', 'a TEXT has no form that CAST can read'],
  ['no_such_table', 'the table is unknown'],
  ['table_exists', 'CREATE TABLE of a table that is there'],
  ['duplicate_table', 'two tables of a query are known by one name'],
  ['duplicate_column', 'a column is named twice in a list'],
  ['multiple_primary_keys', 'a table has several PRIMARY KEYs'],
  ['wrong_column_count', 'a row has too many or too few values, or a subquery several columns'],
  ['not_null_violation', 'NULL in a NOT NULL column'],
  ['unique_violation', 'a value that a UNIQUE column already holds'],
]);

/** What a statement can fail with. An unlisted code is a defect, so it is refused here and not by a user's program. */
export class SqlError extends Error {
  constructor(code, message) {
    if (!errorCodes.has(code)) throw new TypeError(`error code ${code} is not listed in src/errors.mjs`);
    super(message);
    this.name = 'SqlError';
    this.code = code;
  }
}
