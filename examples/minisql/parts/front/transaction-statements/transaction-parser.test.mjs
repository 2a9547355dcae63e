import assert from 'node:assert/strict';
import test from 'node:test';
import { TokenCursor } from './cursor.mjs';
import { tokenize } from './lexer.mjs';
import { parseTransaction } from './transaction-parser.mjs';

test('the first word is the statement, TRANSACTION may follow', () => {
  for (const kind of ['begin', 'commit', 'rollback']) {
    for (const sql of [kind, `${kind.toUpperCase()} Transaction`]) {
      const cursor = new TokenCursor(tokenize(sql));
      assert.deepEqual(parseTransaction(cursor), { kind });
      assert.equal(cursor.token.kind, 'end');
    }
  }
});

test('nothing else is taken', () => {
  const cursor = new TokenCursor(tokenize('BEGIN work'));
  parseTransaction(cursor);
  assert.equal(cursor.token.text, 'work');
});
