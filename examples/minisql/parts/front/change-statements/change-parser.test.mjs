import assert from 'node:assert/strict';
import test from 'node:test';
import { parseDelete, parseTransaction, parseUpdate } from './change-parser.mjs';
import { TokenCursor } from './cursor.mjs';
import { tokenize } from './lexer.mjs';

const update = (sql) => parseUpdate(new TokenCursor(tokenize(sql)));
const remove = (sql) => parseDelete(new TokenCursor(tokenize(sql)));
const column = (name) => ({ kind: 'column', table: null, name });
const literal = (value) => ({ kind: 'literal', value });

test('UPDATE has assignments in their order, and a condition', () => {
  assert.deepEqual(update('UPDATE T SET a = 1, "B" = a WHERE c'), {
    kind: 'update',
    table: 't',
    assignments: [
      { column: 'a', value: literal(1n) },
      { column: 'B', value: column('a') },
    ],
    where: column('c'),
  });
  assert.equal(update('UPDATE t SET a = 1').where, null);
});

test('the first = assigns, a second one compares', () => {
  assert.equal(update('UPDATE t SET a = b = c').assignments[0].value.kind, 'binary');
});

test('DELETE has a condition or none', () => {
  assert.deepEqual(remove('DELETE FROM t WHERE c'), { kind: 'delete', table: 't', where: column('c') });
  assert.equal(remove('DELETE FROM t').where, null);
});

test('what is missing is a syntax error', () => {
  for (const bad of [
    'UPDATE t',
    'UPDATE t SET',
    'UPDATE t SET a',
    'UPDATE t SET a = ',
    'UPDATE t SET t.a = 1',
    'UPDATE t u SET a = 1',
    'UPDATE t SET a = 1, WHERE c',
    'UPDATE t SET a = 1 WHERE',
  ]) {
    assert.throws(() => update(bad), { code: 'syntax_error' }, bad);
  }
  for (const bad of ['DELETE t', 'DELETE FROM', 'DELETE FROM t WHERE']) {
    assert.throws(() => remove(bad), { code: 'syntax_error' }, bad);
  }
});

test('the first word of a transaction is the statement, TRANSACTION may follow', () => {
  for (const kind of ['begin', 'commit', 'rollback']) {
    for (const sql of [kind, `${kind.toUpperCase()} Transaction`]) {
      const cursor = new TokenCursor(tokenize(sql));
      assert.deepEqual(parseTransaction(cursor), { kind });
      assert.equal(cursor.token.kind, 'end');
    }
  }
  const cursor = new TokenCursor(tokenize('BEGIN work'));
  parseTransaction(cursor);
  assert.equal(cursor.token.text, 'work');
});
