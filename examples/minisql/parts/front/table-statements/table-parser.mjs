import { parseExpression, parseLiteral, parseType } from './expression-parser.mjs';

/** Reads CREATE TABLE, from its first word on. */
export function parseCreateTable(cursor) {
  cursor.expectWords('create', 'table');
  const ifNotExists = cursor.acceptWords('if', 'not', 'exists');
  const table = cursor.expectIdentifier('a table');
  cursor.expectSymbol('(');
  const columns = cursor.list(() => parseColumn(cursor));
  cursor.expectSymbol(')');
  return { kind: 'create-table', table, ifNotExists, columns };
}

/** Reads DROP TABLE, from its first word on. */
export function parseDropTable(cursor) {
  cursor.expectWords('drop', 'table');
  const ifExists = cursor.acceptWords('if', 'exists');
  return { kind: 'drop-table', table: cursor.expectIdentifier('a table'), ifExists };
}

/** Reads INSERT, from its first word on. */
export function parseInsert(cursor) {
  cursor.expectWords('insert', 'into');
  const table = cursor.expectIdentifier('a table');
  let columns = null;
  if (cursor.acceptSymbol('(')) {
    columns = cursor.list(() => cursor.expectIdentifier('a column'));
    cursor.expectSymbol(')');
  }
  cursor.expectWords('values');
  const rows = cursor.list(() => {
    cursor.expectSymbol('(');
    const row = cursor.list(() => parseExpression(cursor));
    cursor.expectSymbol(')');
    return row;
  });
  return { kind: 'insert', table, columns, rows };
}

function parseColumn(cursor) {
  const column = {
    name: cursor.expectIdentifier('a column'),
    type: parseType(cursor),
    notNull: false,
    unique: false,
    primaryKey: false,
    default: null,
  };
  for (;;) {
    if (cursor.acceptWords('not', 'null')) column.notNull = true;
    else if (cursor.acceptWords('unique')) column.unique = true;
    else if (cursor.acceptWords('primary', 'key')) column.primaryKey = true;
    else if (cursor.acceptWords('default')) column.default = parseDefault(cursor);
    else return column;
  }
}

// A literal with an optional sign and not an expression, which would take the NOT of a NOT NULL that follows.
function parseDefault(cursor) {
  const negative = cursor.acceptSymbol('-');
  const signed = negative || cursor.acceptSymbol('+');
  if (signed && cursor.token.kind !== 'number') throw cursor.unexpected('a number');
  const literal = parseLiteral(cursor);
  if (!literal) throw cursor.unexpected('a literal');
  return negative ? { ...literal, value: -literal.value } : literal;
}
