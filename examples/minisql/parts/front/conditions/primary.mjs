  if (cursor.acceptWords('cast')) return parseCast(cursor);
  if (cursor.acceptWords('case')) return parseCase(cursor, parsers);
  if (cursor.acceptWords('exists')) return parseExists(cursor);
  if (cursor.acceptSymbol('(')) {
    if (cursor.isWord('select')) return parseSubquery(cursor, 'value');
