import { parseExpression } from './expression-parser.mjs';

/** Reads SELECT, from its first word on. */
export function parseSelect(cursor) {
  cursor.expectWords('select');
  const distinct = cursor.acceptWords('distinct');
  const items = cursor.list(() => parseItem(cursor));
  const from = cursor.acceptWords('from') ? parseFrom(cursor) : null;
  if (from === null && items.some((item) => item.kind === 'all' && item.table === null)) {
    throw cursor.unexpected('FROM');
  }
  const where = cursor.acceptWords('where') ? parseExpression(cursor) : null;
  const groupBy = cursor.acceptWords('group', 'by') ? cursor.list(() => parseExpression(cursor)) : [];
  const having = cursor.acceptWords('having') ? parseExpression(cursor) : null;
  const orderBy = cursor.acceptWords('order', 'by') ? cursor.list(() => parseKey(cursor)) : [];
  return { kind: 'select', distinct, items, from, where, groupBy, having, orderBy, ...parseLimit(cursor) };
}

function parseItem(cursor) {
  if (cursor.acceptSymbol('*')) return { kind: 'all', table: null };
  const expression = parseTableStar(cursor) ?? parseExpression(cursor);
  if (expression.kind === 'all') return expression;
  return { kind: 'expression', expression, alias: parseAlias(cursor, 'a name for the column') };
}

// Whether a name starts `table.*` or an expression shows only two tokens later.
function parseTableStar(cursor) {
  if (!cursor.isIdentifier() || !cursor.isSymbolAt(1, '.') || !cursor.isSymbolAt(2, '*')) return null;
  const table = cursor.take().text;
  cursor.expectSymbol('.');
  cursor.expectSymbol('*');
  return { kind: 'all', table };
}

function parseAlias(cursor, what) {
  if (cursor.acceptWords('as')) return cursor.expectIdentifier(what);
  return cursor.isIdentifier() ? cursor.take().text : null;
}

function parseFrom(cursor) {
  const from = { ...parseTable(cursor), joins: [] };
  for (let left = parseJoin(cursor); left !== null; left = parseJoin(cursor)) {
    const joined = parseTable(cursor);
    cursor.expectWords('on');
    from.joins.push({ ...joined, left, on: parseExpression(cursor) });
  }
  return from;
}

// Whether it is a left join; null if there is no join.
function parseJoin(cursor) {
  const left = cursor.acceptWords('left');
  if (left) cursor.acceptWords('outer');
  else if (!cursor.acceptWords('inner') && !cursor.isWord('join')) return null;
  cursor.expectWords('join');
  return left;
}

function parseTable(cursor) {
  const table = cursor.expectIdentifier('a table');
  return { table, alias: parseAlias(cursor, 'a name for the table') ?? table };
}

function parseKey(cursor) {
  const expression = parseExpression(cursor);
  const descending = cursor.acceptWords('desc');
  if (!descending) cursor.acceptWords('asc');
  let nulls = descending ? 'last' : 'first';
  if (cursor.acceptWords('nulls', 'first')) nulls = 'first';
  else if (cursor.acceptWords('nulls', 'last')) nulls = 'last';
  return { expression, descending, nulls };
}

function parseLimit(cursor) {
  if (!cursor.acceptWords('limit')) return { limit: null, offset: 0 };
  const limit = parseCount(cursor);
  return { limit, offset: cursor.acceptWords('offset') ? parseCount(cursor) : 0 };
}

function parseCount(cursor) {
  const { kind, value } = cursor.token;
  if (kind !== 'number' || typeof value !== 'bigint') throw cursor.unexpected('a number of rows');
  cursor.take();
  return Number(value);
}
