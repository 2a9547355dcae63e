import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, isInScope, isScopePattern, overlaps } from './scopes.ts';

const part = fc.constantFrom('a', 'b', 'ab');
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const pattern = fc.oneof(
  path,
  path.map((folder) => `${folder}/**`),
  fc.constant('**'),
);

test('a pattern is a path, a folder with all below it, or everything', () => {
  expect(['src/a.js', 'src/**', '**', '.gitignore'].every(isScopePattern)).toBe(true);
  expect(
    ['', '/etc', '../a', 'a//b', 'src/*.js', 'a\\b', 'src/**/x', './a', '/**'].some(isScopePattern),
  ).toBe(false);
});

test('a folder does not cover its namesakes', () => {
  expect(isInScope(['src/**'], 'src/a/b.js')).toBe(true);
  expect(isInScope(['src/**'], 'src2/a.js')).toBe(false);
  expect(isInScope(['src/**'], 'src')).toBe(false);
});

test('what an inner pattern covers, an outer one that contains it covers too', () => {
  fc.assert(
    fc.property(pattern, pattern, path, (outer, inner, one) => {
      const inside = contains(outer, inner) && isInScope([inner], one);
      return !inside || isInScope([outer], one);
    }),
  );
});

test('two patterns that cover one path overlap', () => {
  fc.assert(
    fc.property(pattern, pattern, path, (left, right, one) => {
      const both = isInScope([left], one) && isInScope([right], one);
      return !both || overlaps(left, right);
    }),
  );
});
