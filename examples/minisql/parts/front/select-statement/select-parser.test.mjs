import assert from 'node:assert/strict';
import test from 'node:test';
import { TokenCursor } from './cursor.mjs';
import { tokenize } from './lexer.mjs';
import { parseSelect } from './select-parser.mjs';

const select = (sql) => parseSelect(new TokenCursor(tokenize(sql)));
const column = (name, table = null) => ({ kind: 'column', table, name });

test('a query has all its clauses, absent or not', () => {
  assert.deepEqual(select('SELECT a'), {
    kind: 'select',
    distinct: false,
    items: [{ kind: 'expression', expression: column('a'), alias: null }],
    from: null,
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
    offset: 0,
  });
});

test('items may be stars and may have names', () => {
  const { distinct, items } = select('SELECT DISTINCT *, u.*, a AS x, t.b y FROM t');
  assert.equal(distinct, true);
  assert.deepEqual(items, [
    { kind: 'all', table: null },
    { kind: 'all', table: 'u' },
    { kind: 'expression', expression: column('a'), alias: 'x' },
    { kind: 'expression', expression: column('b', 't'), alias: 'y' },
  ]);
});

test('a star as an operator is no star item', () => {
  assert.equal(select('SELECT t.a * 2 FROM t').items[0].expression.kind, 'binary');
});

test('joins keep their order', () => {
  const { from } = select(
    'SELECT 1 FROM a x JOIN b AS y ON x.i = y.i INNER JOIN c ON TRUE LEFT JOIN d ON 1 LEFT OUTER JOIN e z ON z.i',
  );
  assert.deepEqual([from.table, from.alias], ['a', 'x']);
  assert.deepEqual(
    from.joins.map(({ table, alias, left, on }) => [table, alias, left, on.kind]),
    [
      ['b', 'y', false, 'binary'],
      ['c', 'c', false, 'literal'],
      ['d', 'd', true, 'literal'],
      ['e', 'z', true, 'column'],
    ],
  );
});

test('keys have a direction and a place for NULL', () => {
  const { orderBy } = select('SELECT a FROM t ORDER BY a, b DESC, 3 ASC NULLS LAST, d DESC NULLS FIRST');
  assert.deepEqual(
    orderBy.map(({ descending, nulls }) => [descending, nulls]),
    [
      [false, 'first'],
      [true, 'last'],
      [false, 'last'],
      [true, 'first'],
    ],
  );
});

test('HAVING comes behind GROUP BY, or alone', () => {
  const { groupBy, having } = select('SELECT a FROM t GROUP BY a HAVING b ORDER BY a');
  assert.deepEqual([groupBy, having], [[column('a')], column('b')]);
  assert.deepEqual(select('SELECT 1 FROM t HAVING b').having, column('b'));
});

test('LIMIT and OFFSET are counts', () => {
  const { limit, offset } = select('SELECT a FROM t WHERE a GROUP BY a, b LIMIT 10 OFFSET 2');
  assert.deepEqual([limit, offset], [10, 2]);
});

test('what is missing or misplaced is a syntax error', () => {
  const bad = [
    'SELECT',
    'SELECT *',
    'SELECT FROM t',
    'SELECT a FROM',
    'SELECT a FROM t JOIN u',
    'SELECT a FROM t INNER u ON TRUE',
    'SELECT a FROM t LEFT u ON TRUE',
    'SELECT a FROM t LEFT JOIN u',
    'SELECT a FROM t HAVING',
    'SELECT a AS FROM t',
    'SELECT a FROM t LIMIT -1',
    'SELECT a FROM t LIMIT 1.5',
    'SELECT a FROM t ORDER BY',
  ];
  for (const sql of bad) assert.throws(() => select(sql), { code: 'syntax_error' }, sql);
});
