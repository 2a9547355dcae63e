import assert from 'node:assert/strict';
import test from 'node:test';
import { parseStatement } from './parser.mjs';

test('the first word tells the statement', () => {
  const kinds = [
    'CREATE TABLE t (a INT)',
    'drop table t',
    'Insert Into t Values (1);',
    'UPDATE t SET a = 1',
    'DELETE FROM t',
    'begin transaction;',
    'COMMIT',
    'ROLLBACK',
    '/* q */ SELECT 1 ; -- end',
  ];
  assert.deepEqual(
    kinds.map((sql) => parseStatement(sql).kind),
    ['create-table', 'drop-table', 'insert', 'update', 'delete', 'begin', 'commit', 'rollback', 'select'],
  );
});

test('a request holds exactly one statement', () => {
  for (const bad of [
    '',
    ' ; ',
    '-- nothing',
    'SELECT 1; SELECT 2',
    'SELECT 1;;',
    'VACUUM',
    '"select" 1',
    'SELECT 1 2',
    'BEGIN 1',
    '(SELECT 1)',
  ]) {
    assert.throws(() => parseStatement(bad), { code: 'syntax_error' }, bad);
  }
});

test('queries may stand in all that holds expressions', () => {
  const { where } = parseStatement('SELECT a FROM t WHERE a IN (SELECT b FROM u WHERE EXISTS (SELECT 1))');
  assert.equal(where.query.where.query.kind, 'select');
  assert.equal(parseStatement('UPDATE t SET a = (SELECT 1)').assignments[0].value.use, 'value');
  assert.equal(parseStatement('DELETE FROM t WHERE EXISTS (SELECT 1)').where.use, 'exists');
});

test('a syntax error names the place', () => {
  assert.throws(() => parseStatement('SELECT a < b < c'), {
    code: 'syntax_error',
    message: /at 14, found </,
  });
});
