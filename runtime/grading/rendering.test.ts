import { describe, expect, it } from 'vitest';
import { hashValues, renderRows, renderValue } from './rendering.ts';

describe('a value is rendered', () => {
  it.each([
    [7, '7'],
    [-2.9, '-2'],
    [4_294_967_297, '1'],
    [2_147_483_648, '-2147483648'],
    ['12 monkeys', '12'],
    ['monkeys', '0'],
    [true, '1'],
    [null, 'NULL'],
  ])('as an integer of 32 bits: %j as %s', (value, text) => {
    expect(renderValue(value, 'I')).toBe(text);
  });

  it.each([
    [1, '1.000'],
    [0.0005, '0.001'],
    [-2.5, '-2.500'],
    [123_456_789_012.25, '123456789012.250'],
    [1_234_567_890_123.456, '1234567890123.456'],
    [12_345_678_901_234.566, '12345678901234.570'],
    [12_345_678_901_234_567_000, '12345678901234570000.000'],
    [1e21, '1000000000000000000000.000'],
    ['3.5x', '3.500'],
    [false, '0.000'],
    [null, 'NULL'],
  ])('as a real with three places and 16 digits: %j as %s', (value, text) => {
    expect(renderValue(value, 'R')).toBe(text);
  });

  it.each([
    ['', '(empty)'],
    ['a b', 'a b'],
    ['a\nb', 'a@b'],
    ['é', '@@'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, 'NULL'],
  ])('as a text of printable bytes: %j as %s', (value, text) => {
    expect(renderValue(value, 'T')).toBe(text);
  });
});

describe('a result is ordered', () => {
  const rows = [
    [10, 'b'],
    [9, 'c'],
    [10, 'a'],
  ];

  it('not at all', () => {
    expect(renderRows(rows, ['I', 'T'], 'nosort')).toEqual(['10', 'b', '9', 'c', '10', 'a']);
  });

  it('by rows, by the bytes of the rendered text', () => {
    expect(renderRows(rows, ['I', 'T'], 'rowsort')).toEqual(['10', 'a', '10', 'b', '9', 'c']);
  });

  it('by values', () => {
    expect(renderRows(rows, ['I', 'T'], 'valuesort')).toEqual(['10', '10', '9', 'a', 'b', 'c']);
    expect(renderRows([['b'], ['B'], [null]], ['T'], 'valuesort')).toEqual(['B', 'NULL', 'b']);
  });
});

it('a hash is MD5 over each value with a line feed', () => {
  // printf '1\n2\n' | md5sum
  expect(hashValues(['1', '2'])).toBe('2 values hashing to 6ddb4095eb719e2a9f0a3f95677d24e0');
  // md5sum < /dev/null
  expect(hashValues([])).toBe('0 values hashing to d41d8cd98f00b204e9800998ecf8427e');
});
