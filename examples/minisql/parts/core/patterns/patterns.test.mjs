import assert from 'node:assert/strict';
import test from 'node:test';
import { fitsPattern } from './patterns.mjs';

function check(fitting, failing, pattern, escape) {
  for (const text of fitting) assert.equal(fitsPattern(text, pattern, escape), true, `${text} ${pattern}`);
  for (const text of failing) assert.equal(fitsPattern(text, pattern, escape), false, `${text} ${pattern}`);
}

test('characters stand for themselves, capitals and all', () => {
  check(['a.c'], ['A.c', 'abc', 'a.', 'a.cd', ''], 'a.c');
  check([''], ['a'], '');
});

test('_ is one character, whatever its size in UTF-16', () => {
  check(['abc', 'a\u{1f600}c', 'a_c', 'a\nc'], ['ac', 'abbc'], 'a_c');
});

test('% is any number of characters', () => {
  check(['', 'a', 'a\nb'], [], '%');
  check(['ac', 'abc', 'acc', 'a%c'], ['acb', 'bac'], 'a%c');
  check(['xaby', 'ab', 'aab'], ['ba', 'axb'], '%ab%');
  check(['abcabxd'], ['abcabd', 'abxdc'], '%ab_d');
  check(['ab', 'abc'], ['a'], '_%_%');
});

test('many % do not make it slow', () => {
  check([], ['a'.repeat(2000)], `${'%a'.repeat(30)}%b`);
});

test('what is escaped stands for itself', () => {
  check(['10%', '%'], ['10', '10%!'], '%!%', '!');
  check(['a_'], ['ab'], 'a!_', '!');
  check(['a!'], ['a', 'a!!'], 'a!!', '!');
  check(['ab'], ['a!b'], 'a!b', '!');
  check(['%a'], ['xa'], '%%a', '%');
});

test('escapes that mean nothing are refused', () => {
  for (const [pattern, escape] of [
    ['a!', '!'],
    ['a', ''],
    ['a', 'xy'],
  ]) {
    assert.throws(() => fitsPattern('a', pattern, escape), { code: 'invalid_argument' });
  }
  check(['a'], [], 'a', '\u{1f600}');
});
