/** Reads BEGIN, COMMIT or ROLLBACK, each with or without the word TRANSACTION behind it. */
export function parseTransaction(cursor) {
  const kind = cursor.take().text;
  cursor.acceptWords('transaction');
  return { kind };
}
