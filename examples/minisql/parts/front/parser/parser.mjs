import { parseDelete, parseTransaction, parseUpdate } from './change-parser.mjs';
import { TokenCursor } from './cursor.mjs';
import { tokenize } from './lexer.mjs';
import { parseSelect } from './select-parser.mjs';
import { parseCreateTable, parseDropTable, parseInsert } from './table-parser.mjs';

const statements = new Map([
  ['create', parseCreateTable],
  ['drop', parseDropTable],
  ['insert', parseInsert],
  ['update', parseUpdate],
  ['delete', parseDelete],
  ['begin', parseTransaction],
  ['commit', parseTransaction],
  ['rollback', parseTransaction],
  ['select', parseSelect],
]);

/** Reads the one statement of a request. @throws SqlError syntax_error, out_of_range */
export function parseStatement(sql) {
  const cursor = new TokenCursor(tokenize(sql), parseSelect);
  const { kind, text } = cursor.token;
  const parse = kind === 'word' ? statements.get(text) : undefined;
  if (!parse) throw cursor.unexpected('a statement');
  const statement = parse(cursor);
  cursor.acceptSymbol(';');
  if (cursor.token.kind !== 'end') throw cursor.unexpected('the end of the statement');
  return statement;
}
