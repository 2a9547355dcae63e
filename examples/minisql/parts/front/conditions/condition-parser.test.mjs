import assert from 'node:assert/strict';
import test from 'node:test';
import { TokenCursor } from './cursor.mjs';
import { parseExpression } from './expression-parser.mjs';
import { tokenize } from './lexer.mjs';

// Queries are read elsewhere: here SELECT and one number stand for one.
function parseQuery(cursor) {
  cursor.expectWords('select');
  return { kind: 'select', items: cursor.take().text };
}

const cursorOn = (sql) => new TokenCursor(tokenize(sql), parseQuery);

/** The tree as text with all its parentheses. */
function show(node) {
  switch (node?.kind) {
    case undefined:
      return '-';
    case 'literal':
      return String(node.value);
    case 'column':
      return node.name;
    case 'unary':
      return `${node.operator}${show(node.operand)}`;
    case 'is-null':
      return `(${show(node.operand)} IS NULL)`;
    case 'like':
      return `(${show(node.operand)} LIKE ${show(node.pattern)} ESCAPE ${show(node.escape)})`;
    case 'between':
      return `(${show(node.operand)} IN ${show(node.low)}..${show(node.high)})`;
    case 'in':
      return `(${show(node.operand)} IN [${node.choices.map(show).join(', ')}])`;
    case 'case':
      return `CASE(${partsOfCase(node).map(show).join(' ')})`;
    case 'subquery':
      return `${node.use}(${show(node.operand)} ${node.query.items})`;
    default:
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
  }
}

function partsOfCase({ operand, branches, otherwise }) {
  return [operand, ...branches.flatMap(({ when, then }) => [when, then]), otherwise];
}

const parsed = (sql) => show(parseExpression(cursorOn(sql)));

test('LIKE, BETWEEN and IN bind like a comparison', () => {
  assert.equal(parsed("a LIKE b || '%' AND c"), '((a LIKE (b || %) ESCAPE -) AND c)');
  assert.equal(parsed("a LIKE b ESCAPE '!' OR c"), '((a LIKE b ESCAPE !) OR c)');
  assert.equal(parsed('a + 1 BETWEEN 2 AND 3 + 4 AND b'), '(((a + 1) IN 2..(3 + 4)) AND b)');
  assert.equal(parsed('NOT a IN (1, b OR c)'), 'NOT(a IN [1, (b OR c)])');
  assert.equal(parsed('a IN (1) IS NULL'), '((a IN [1]) IS NULL)');
});

test('each has its opposite', () => {
  assert.equal(parsed('a NOT LIKE b'), 'NOT(a LIKE b ESCAPE -)');
  assert.equal(parsed('a NOT BETWEEN 1 AND 2'), 'NOT(a IN 1..2)');
  assert.equal(parsed('a NOT IN (1) AND b'), '(NOT(a IN [1]) AND b)');
});

test('there is one of them at most', () => {
  for (const sql of ['a LIKE b LIKE c', 'a = b IN (1)', 'a IN (1) = b', 'a BETWEEN 1 AND 2 < 3']) {
    const cursor = cursorOn(sql);
    parseExpression(cursor);
    assert.notEqual(cursor.token.kind, 'end', sql);
  }
});

test('CASE with and without an operand', () => {
  assert.equal(parsed('CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END'), 'CASE(- a 1 b 2 3)');
  assert.equal(parsed('CASE a WHEN 1 THEN 2 END + 1'), '(CASE(a 1 2 -) + 1)');
  assert.equal(parsed('CASE CASE WHEN a THEN b END WHEN c THEN d END'), 'CASE(CASE(- a b -) c d -)');
});

test('a query stands for a value, for candidates, or for its rows', () => {
  assert.equal(parsed('(SELECT 1) + 2'), '(value(- 1) + 2)');
  assert.equal(parsed('a NOT IN (SELECT 1)'), 'NOTin(a 1)');
  assert.equal(parsed('NOT EXISTS (SELECT 1)'), 'NOTexists(- 1)');
  assert.equal(parsed('((SELECT 1))'), 'value(- 1)');
});

test('what is missing is a syntax error', () => {
  for (const bad of [
    'a BETWEEN 1 OR 2',
    'a BETWEEN 1',
    'a IN ()',
    'a IN 1',
    'a IN (1',
    'a LIKE',
    'CASE END',
    'CASE a END',
    'CASE WHEN a END',
    'CASE WHEN a THEN 1',
    'CASE ELSE 1 END',
    'EXISTS 1',
    'EXISTS (1)',
    '(SELECT 1',
  ]) {
    assert.throws(() => parseExpression(cursorOn(bad)), { code: 'syntax_error' }, bad);
  }
});
