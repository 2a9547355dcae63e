const comparisons = ['=', '<>', '!=', '<', '<=', '>', '>='];
const typeNames = new Map([
  ['integer', 'integer'],
  ['int', 'integer'],
  ['real', 'real'],
  ['text', 'text'],
  ['boolean', 'boolean'],
]);
const constants = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/** Reads an expression, from the weakest binding level on. @throws SqlError syntax_error */
export function parseExpression(cursor) {
  let left = parseAnd(cursor);
  while (cursor.acceptWords('or')) left = binary('OR', left, parseAnd(cursor));
  return left;
}

/** Reads the name of a type and gives it in its main form. */
export function parseType(cursor) {
  const { kind, text } = cursor.token;
  if (kind !== 'word' || !typeNames.has(text)) throw cursor.unexpected('a type');
  cursor.take();
  return typeNames.get(text);
}

/** Reads a literal without a sign, or takes nothing and gives null. */
export function parseLiteral(cursor) {
  const { kind, text } = cursor.token;
  if (kind === 'number' || kind === 'text') return { kind: 'literal', value: cursor.take().value };
  if (kind !== 'word' || !constants.has(text)) return null;
  cursor.take();
  return { kind: 'literal', value: constants.get(text) };
}

function binary(operator, left, right) {
  return { kind: 'binary', operator, left, right };
}

function parseAnd(cursor) {
  let left = parseNot(cursor);
  while (cursor.acceptWords('and')) left = binary('AND', left, parseNot(cursor));
  return left;
}

function parseNot(cursor) {
  if (cursor.acceptWords('not')) return { kind: 'unary', operator: 'NOT', operand: parseNot(cursor) };
  return parseComparison(cursor);
}

function parseComparison(cursor) {
  let left = parseJoinedText(cursor);
  let compared = false;
  for (;;) {
    if (cursor.acceptWords('is', 'not', 'null')) left = { kind: 'is-null', operand: left, negated: true };
    else if (cursor.acceptWords('is', 'null')) left = { kind: 'is-null', operand: left, negated: false };
    else if (!compared && cursor.isSymbol(...comparisons)) {
      const { text } = cursor.take();
      left = binary(text === '!=' ? '<>' : text, left, parseJoinedText(cursor));
      compared = true;
    } else return left;
  }
}

const parseJoinedText = leftToRight(
  ['||'],
  leftToRight(['+', '-'], leftToRight(['*', '/', '%'], parseSigned)),
);

function leftToRight(operators, parseOperand) {
  return (cursor) => {
    let left = parseOperand(cursor);
    while (cursor.isSymbol(...operators)) {
      const operator = cursor.take().text;
      left = binary(operator, left, parseOperand(cursor));
    }
    return left;
  };
}

function parseSigned(cursor) {
  if (!cursor.isSymbol('-', '+')) return parsePrimary(cursor);
  const operator = cursor.take().text;
  return { kind: 'unary', operator, operand: parseSigned(cursor) };
}

function parsePrimary(cursor) {
  const literal = parseLiteral(cursor);
  if (literal) return literal;
  if (cursor.acceptWords('cast')) return parseCast(cursor);
  if (cursor.acceptSymbol('(')) {
    const inner = parseExpression(cursor);
    cursor.expectSymbol(')');
    return inner;
  }
  const { kind } = cursor.token;
  const name = cursor.expectIdentifier('an expression');
  if (kind === 'word' && cursor.acceptSymbol('(')) return parseCall(cursor, name);
  if (cursor.acceptSymbol('.'))
    return { kind: 'column', table: name, name: cursor.expectIdentifier('a column') };
  return { kind: 'column', table: null, name };
}

function parseCast(cursor) {
  cursor.expectSymbol('(');
  const operand = parseExpression(cursor);
  cursor.expectWords('as');
  const type = parseType(cursor);
  cursor.expectSymbol(')');
  return { kind: 'cast', operand, type };
}

function parseCall(cursor, name) {
  const call = { kind: 'call', name, distinct: false, star: false, args: [] };
  if (cursor.acceptSymbol(')')) return call;
  if (name === 'count' && cursor.acceptSymbol('*')) {
    call.star = true;
  } else {
    call.distinct = cursor.acceptWords('distinct');
    call.args = cursor.list(() => parseExpression(cursor));
  }
  cursor.expectSymbol(')');
  return call;
}
