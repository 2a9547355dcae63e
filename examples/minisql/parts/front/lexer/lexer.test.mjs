import assert from 'node:assert/strict';
import test from 'node:test';
import { tokenize } from './lexer.mjs';

const kinds = (sql) => tokenize(sql).map((token) => token.kind);
const texts = (sql) =>
  tokenize(sql)
    .map((token) => token.text)
    .slice(0, -1);
const value = (sql) => tokenize(sql)[0].value;

test('words are taken in lower case, quoted names as they are', () => {
  assert.deepEqual(texts('SELECT Total "Total" "a""b"'), ['select', 'total', 'Total', 'a"b']);
  assert.deepEqual(kinds('x "x"'), ['word', 'name', 'end']);
});

test('numbers are integers or reals', () => {
  assert.deepEqual(['42', '1.5', '.5', '2e3', '1.5E-3'].map(value), [42n, 1.5, 0.5, 2000, 0.0015]);
  assert.throws(() => tokenize('9007199254740992'), { code: 'out_of_range' });
  assert.throws(() => tokenize('1e999'), { code: 'out_of_range' });
  for (const malformed of ['12ab', '1.', '1.2.3', '1e', '.5.']) {
    assert.throws(() => tokenize(malformed), { code: 'syntax_error' }, malformed);
  }
});

test('texts may hold quotes and line feeds', () => {
  assert.equal(value("'it''s'"), "it's");
  assert.equal(value("'a\nb'"), 'a\nb');
  assert.equal(value("''"), '');
});

test('comments are blanks', () => {
  assert.deepEqual(texts('a -- b\n/* c\n * d */ e--'), ['a', 'e']);
  assert.deepEqual(texts('a/**/b'), ['a', 'b']);
  assert.deepEqual(texts('a / b * c'), ['a', '/', 'b', '*', 'c']);
});

test('symbols are cut as long as possible', () => {
  assert.deepEqual(texts('a<=b<>c||d!=e'), ['a', '<=', 'b', '<>', 'c', '||', 'd', '!=', 'e']);
});

test('places count from 1', () => {
  assert.deepEqual(
    tokenize('a  bc').map((token) => token.at),
    [1, 4, 6],
  );
});

test('what has no end or no meaning is an error', () => {
  for (const bad of ["'abc", '"abc', '""', '/* abc', 'a ? b', 'a ! b', '#', '|']) {
    assert.throws(() => tokenize(bad), { code: 'syntax_error' }, bad);
  }
});
