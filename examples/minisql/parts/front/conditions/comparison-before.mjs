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
