import { parseExpression } from './expression-parser.mjs';

/** Reads UPDATE, from its first word on. */
export function parseUpdate(cursor) {
  cursor.expectWords('update');
  const table = cursor.expectIdentifier('a table');
  cursor.expectWords('set');
  const assignments = cursor.list(() => parseAssignment(cursor));
  return { kind: 'update', table, assignments, where: parseWhere(cursor) };
}

/** Reads DELETE, from its first word on. */
export function parseDelete(cursor) {
  cursor.expectWords('delete', 'from');
  return { kind: 'delete', table: cursor.expectIdentifier('a table'), where: parseWhere(cursor) };
}

/** Reads BEGIN, COMMIT or ROLLBACK, each with or without the word TRANSACTION behind it. */
export function parseTransaction(cursor) {
  const kind = cursor.take().text;
  cursor.acceptWords('transaction');
  return { kind };
}

function parseAssignment(cursor) {
  const column = cursor.expectIdentifier('a column');
  cursor.expectSymbol('=');
  return { column, value: parseExpression(cursor) };
}

function parseWhere(cursor) {
  return cursor.acceptWords('where') ? parseExpression(cursor) : null;
}
