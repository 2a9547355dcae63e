import assert from 'node:assert/strict';
import test from 'node:test';
import { TokenCursor } from './cursor.mjs';
import { tokenize } from './lexer.mjs';
import { parseCreateTable, parseDropTable, parseInsert } from './table-parser.mjs';

const cursorOn = (sql) => new TokenCursor(tokenize(sql));
const create = (sql) => parseCreateTable(cursorOn(sql));
const insert = (sql) => parseInsert(cursorOn(sql));
const plain = { notNull: false, unique: false, primaryKey: false, default: null };

test('columns have a type and what is said of them, in any order', () => {
  assert.deepEqual(create("CREATE TABLE T (Id INT PRIMARY KEY, note TEXT DEFAULT 'x' NOT NULL UNIQUE)"), {
    kind: 'create-table',
    table: 't',
    ifNotExists: false,
    columns: [
      { ...plain, name: 'id', type: 'integer', primaryKey: true },
      {
        ...plain,
        name: 'note',
        type: 'text',
        notNull: true,
        unique: true,
        default: { kind: 'literal', value: 'x' },
      },
    ],
  });
});

test('a default is a literal, a number may have a sign', () => {
  const valueOf = (literal) =>
    create(`CREATE TABLE t (a REAL DEFAULT ${literal} NOT NULL)`).columns[0].default.value;
  assert.deepEqual(['-1', '+2.5', 'NULL', 'TRUE', 'false'].map(valueOf), [-1n, 2.5, null, true, false]);
  for (const bad of ['1 + 1', "-'a'", 'x', 'NOT NULL']) {
    assert.throws(() => valueOf(bad), { code: 'syntax_error' }, bad);
  }
});

test('words that are not reserved may be names', () => {
  assert.deepEqual(
    create('CREATE TABLE key (text TEXT, "select" INT)').columns.map((column) => column.name),
    ['text', 'select'],
  );
});

test('IF NOT EXISTS and IF EXISTS', () => {
  assert.equal(create('CREATE TABLE IF NOT EXISTS t (a INT)').ifNotExists, true);
  const drop = (sql) => parseDropTable(cursorOn(sql));
  assert.deepEqual(drop('DROP TABLE t'), { kind: 'drop-table', table: 't', ifExists: false });
  assert.equal(drop('DROP TABLE IF EXISTS t').ifExists, true);
});

test('INSERT has rows of expressions', () => {
  const statement = insert("INSERT INTO t (a, B) VALUES (1, 'x'), (2 + 3, NULL)");
  assert.deepEqual(statement.columns, ['a', 'b']);
  assert.deepEqual(
    statement.rows.map((row) => row.map((expression) => expression.kind)),
    [
      ['literal', 'literal'],
      ['binary', 'literal'],
    ],
  );
  assert.equal(insert('INSERT INTO t VALUES (1)').columns, null);
});

test('what is missing is a syntax error', () => {
  for (const bad of [
    'CREATE TABLE t ()',
    'CREATE TABLE t (a)',
    'CREATE TABLE t (a BLOB)',
    'CREATE TABLE (a INT)',
  ]) {
    assert.throws(() => create(bad), { code: 'syntax_error' }, bad);
  }
  for (const bad of [
    'INSERT INTO t',
    'INSERT INTO t VALUES',
    'INSERT INTO t VALUES ()',
    'INSERT t VALUES (1)',
  ]) {
    assert.throws(() => insert(bad), { code: 'syntax_error' }, bad);
  }
});
