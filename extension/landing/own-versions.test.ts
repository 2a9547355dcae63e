import { expect, it } from 'vitest';
import { OwnVersions } from './own-versions.ts';

const landing = 'r1-1';

it('who has seen a version has written those that their own edits made of it', () => {
  const own = new OwnVersions();
  own.wrote(landing, 'a', 1, 2);
  own.wrote(landing, 'a', 2, 3);
  expect(own.newest(landing, { path: 'a', version: 1 })).toEqual({ path: 'a', version: 3 });
  expect(own.newest(landing, { path: 'a', version: 3 })).toEqual({ path: 'a', version: 3 });
  expect(own.newest(landing, { path: 'b', version: 1 })).toEqual({ path: 'b', version: 1 });
});

it('a version that came between two edits is unseen', () => {
  const own = new OwnVersions();
  own.wrote(landing, 'a', 1, 3);
  expect(own.newest(landing, { path: 'a', version: 1 })).toEqual({ path: 'a', version: 1 });
});

it('what was written in another landing counts no more', () => {
  const own = new OwnVersions();
  own.wrote(landing, 'a', 1, 2);
  own.wrote('r1-2', 'b', 1, 2);
  expect(own.newest(landing, { path: 'a', version: 1 })).toEqual({ path: 'a', version: 1 });
  expect(own.newest('r1-2', { path: 'a', version: 1 })).toEqual({ path: 'a', version: 1 });
});
