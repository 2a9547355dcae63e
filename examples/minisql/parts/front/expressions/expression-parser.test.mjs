import assert from 'node:assert/strict';
import test from 'node:test';
import { TokenCursor } from './cursor.mjs';
import { parseExpression } from './expression-parser.mjs';

// Tokens of the agreed shape, made from words with blanks between them: the lexer is not needed here.
function cursorOn(source) {
  const tokens = source.split(' ').map((text, index) => {
    if (/^\d+$/.test(text)) return { kind: 'number', text, value: BigInt(text), at: index + 1 };
    if (text.startsWith("'")) return { kind: 'text', text, value: text.slice(1, -1), at: index + 1 };
    return { kind: /^\w/.test(text) ? 'word' : 'symbol', text, at: index + 1 };
  });
  return new TokenCursor([...tokens, { kind: 'end', text: 'end of statement', at: tokens.length + 1 }]);
}

/** The tree as text with all its parentheses. */
function show(node) {
  switch (node.kind) {
    case 'literal':
      return String(node.value);
    case 'column':
      return node.table === null ? node.name : `${node.table}.${node.name}`;
    case 'unary':
      return `(${node.operator} ${show(node.operand)})`;
    case 'is-null':
      return `(${show(node.operand)} IS${node.negated ? ' NOT' : ''} NULL)`;
    case 'cast':
      return `CAST(${show(node.operand)} AS ${node.type})`;
    case 'call':
      return `${node.name}(${node.distinct ? 'DISTINCT ' : ''}${node.star ? '*' : node.args.map(show).join(', ')})`;
    default:
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
  }
}

const parsed = (source) => show(parseExpression(cursorOn(source)));

test('operators bind by their level', () => {
  assert.equal(parsed('1 + 2 * 3'), '(1 + (2 * 3))');
  assert.equal(parsed('a || 1 + 2 || b'), '((a || (1 + 2)) || b)');
  assert.equal(parsed('a or b and not c = d'), '(a OR (b AND (NOT (c = d))))');
  assert.equal(parsed('- a * b'), '((- a) * b)');
  assert.equal(parsed('( 1 + 2 ) * 3'), '((1 + 2) * 3)');
});

test('operators of a level group from the left', () => {
  assert.equal(parsed('1 - 2 - 3'), '((1 - 2) - 3)');
  assert.equal(parsed('8 / 4 % 3'), '((8 / 4) % 3)');
  assert.equal(parsed('a or b or c'), '((a OR b) OR c)');
});

test('IS NULL follows a comparison, a second comparison does not', () => {
  assert.equal(parsed('a = b is null'), '((a = b) IS NULL)');
  assert.equal(parsed('a is null = true'), '((a IS NULL) = true)');
  assert.equal(parsed('a is not null is null'), '((a IS NOT NULL) IS NULL)');
  const cursor = cursorOn('a < b < c');
  parseExpression(cursor);
  assert.equal(cursor.token.at, 4);
});

test('!= is another spelling of <>', () => {
  assert.equal(parsed('a != b'), '(a <> b)');
});

test('columns, calls and casts', () => {
  assert.equal(parsed('t . a'), 't.a');
  assert.equal(parsed('count ( * )'), 'count(*)');
  assert.equal(parsed('sum ( distinct a + 1 )'), 'sum(DISTINCT (a + 1))');
  assert.equal(parsed("substr ( 'abc' , 2 )"), 'substr(abc, 2)');
  assert.equal(parsed('cast ( a as int )'), 'CAST(a AS integer)');
});

test('what is no expression is a syntax error', () => {
  for (const bad of [
    '1 +',
    'select',
    '( 1',
    'upper ( * )',
    'cast ( a as blob )',
    'a . 1',
    'count ( distinct * )',
  ]) {
    assert.throws(() => parseExpression(cursorOn(bad)), { code: 'syntax_error' }, bad);
  }
});
