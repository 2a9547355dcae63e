import assert from 'node:assert/strict';
import test from 'node:test';
import { parseStatement } from './parser.mjs';

test('the first word tells the statement', () => {
  const kinds = [
    'CREATE TABLE t (a INT)',
    'drop table t',
    'Insert Into t Values (1);',
    '/* q */ SELECT 1 ; -- end',
  ];
  assert.deepEqual(
    kinds.map((sql) => parseStatement(sql).kind),
    ['create-table', 'drop-table', 'insert', 'select'],
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
  ]) {
    assert.throws(() => parseStatement(bad), { code: 'syntax_error' }, bad);
  }
});

test('a syntax error names the place', () => {
  assert.throws(() => parseStatement('SELECT a < b < c'), {
    code: 'syntax_error',
    message: /at 14, found </,
  });
});
