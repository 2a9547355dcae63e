const conditions = new Map([
  ['like', parseLike],
  ['between', parseBetween],
  ['in', parseIn],
]);

/**
 * Reads `[NOT] LIKE`, `BETWEEN` or `IN` behind its left operand, or takes nothing and gives null. `parse` has the readers of
 * what binds tighter, `operand`, and of everything, `expression`.
 */
export function parseCondition(cursor, left, parse) {
  for (const [word, read] of conditions) {
    if (cursor.acceptWords(word)) return read(cursor, left, parse);
    if (cursor.acceptWords('not', word)) {
      return { kind: 'unary', operator: 'NOT', operand: read(cursor, left, parse) };
    }
  }
  return null;
}

function parseLike(cursor, operand, parse) {
  const pattern = parse.operand(cursor);
  const escape = cursor.acceptWords('escape') ? parse.operand(cursor) : null;
  return { kind: 'like', operand, pattern, escape };
}

function parseBetween(cursor, operand, parse) {
  const low = parse.operand(cursor);
  cursor.expectWords('and');
  return { kind: 'between', operand, low, high: parse.operand(cursor) };
}

function parseIn(cursor, operand, parse) {
  cursor.expectSymbol('(');
  if (cursor.isWord('select')) return parseSubquery(cursor, 'in', operand);
  const choices = cursor.list(() => parse.expression(cursor));
  cursor.expectSymbol(')');
  return { kind: 'in', operand, choices };
}

/** Reads `EXISTS (SELECT …)`, from behind its first word on. */
export function parseExists(cursor) {
  cursor.expectSymbol('(');
  return parseSubquery(cursor, 'exists');
}

/** Reads a query and the parenthesis that closes it. */
export function parseSubquery(cursor, use, operand = null) {
  const query = cursor.query();
  cursor.expectSymbol(')');
  return { kind: 'subquery', use, operand, query };
}

/** Reads CASE, from behind its first word on. */
export function parseCase(cursor, parse) {
  const operand = cursor.isWord('when') ? null : parse.expression(cursor);
  const branches = [];
  do {
    cursor.expectWords('when');
    const when = parse.expression(cursor);
    cursor.expectWords('then');
    branches.push({ when, then: parse.expression(cursor) });
  } while (cursor.isWord('when'));
  const otherwise = cursor.acceptWords('else') ? parse.expression(cursor) : null;
  cursor.expectWords('end');
  return { kind: 'case', operand, branches, otherwise };
}
