const parseJoinedText = leftToRight(
  ['||'],
  leftToRight(['+', '-'], leftToRight(['*', '/', '%'], parseSigned)),
);
const parsers = { operand: parseJoinedText, expression: parseExpression };

// One comparison or condition at most, but IS NULL as often as you like.
function parseComparison(cursor) {
  let left = parseJoinedText(cursor);
  let compared = false;
  for (;;) {
    if (cursor.acceptWords('is', 'not', 'null')) left = { kind: 'is-null', operand: left, negated: true };
    else if (cursor.acceptWords('is', 'null')) left = { kind: 'is-null', operand: left, negated: false };
    else {
      const whole = compared ? null : (parseOrder(cursor, left) ?? parseCondition(cursor, left, parsers));
      if (whole === null) return left;
      left = whole;
      compared = true;
    }
  }
}

function parseOrder(cursor, left) {
  if (!cursor.isSymbol(...comparisons)) return null;
  const { text } = cursor.take();
  return binary(text === '!=' ? '<>' : text, left, parseJoinedText(cursor));
}
