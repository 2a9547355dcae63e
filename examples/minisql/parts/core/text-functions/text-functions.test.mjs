import assert from 'node:assert/strict';
import test from 'node:test';
import { callFunction, checkCall } from './functions.mjs';

test('length counts characters', () => {
  assert.equal(callFunction('length', ['h\u{1f600}llo']), 5n);
  assert.equal(callFunction('length', ['']), 0n);
});

test('only the letters of ASCII change', () => {
  assert.equal(callFunction('upper', ['straße é']), 'STRAßE é');
  assert.equal(callFunction('lower', ['ABC Ä']), 'abc Ä');
});

test('trim takes spaces and nothing else', () => {
  assert.equal(callFunction('trim', ['  a b  ']), 'a b');
  assert.equal(callFunction('ltrim', [' \ta ']), '\ta ');
  assert.equal(callFunction('rtrim', [' a ']), ' a');
});

test('substr leaves out the positions that are not there', () => {
  const substr = (...args) => callFunction('substr', args);
  assert.equal(substr('hello', 2n), 'ello');
  assert.equal(substr('hello', 2n, 3n), 'ell');
  assert.equal(substr('hello', 0n, 3n), 'he');
  assert.equal(substr('hello', -5n, 3n), '');
  assert.equal(substr('hello', 9n), '');
  assert.equal(substr('h\u{1f600}llo', 2n, 2n), '\u{1f600}l');
  assert.throws(() => substr('hello', 1n, -1n), { code: 'invalid_argument' });
});

test('replace and instr', () => {
  assert.equal(callFunction('replace', ['a.b.c', '.', '$&']), 'a$&b$&c');
  assert.equal(callFunction('replace', ['abc', '', 'x']), 'abc');
  assert.equal(callFunction('instr', ['\u{1f600}bc', 'c']), 3n);
  assert.equal(callFunction('instr', ['abc', 'x']), 0n);
  assert.equal(callFunction('instr', ['abc', '']), 1n);
});

test('NULL in, NULL out; other types are refused', () => {
  assert.equal(callFunction('upper', [null]), null);
  assert.equal(callFunction('substr', ['abc', 1n, null]), null);
  assert.throws(() => callFunction('upper', [1n]), { code: 'type_mismatch' });
  assert.throws(() => callFunction('substr', ['abc', 1]), { code: 'type_mismatch' });
});

test('the number of arguments is checked', () => {
  checkCall('substr', 2);
  assert.throws(() => checkCall('substr', 4), { code: 'wrong_argument_count' });
  assert.throws(() => checkCall('upper', 0), { code: 'wrong_argument_count' });
  assert.throws(() => checkCall('shout', 1), { code: 'no_such_function' });
});
