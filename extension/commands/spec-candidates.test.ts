import { describe, expect, it } from 'vitest';
import { rankSpecs } from './spec-candidates.ts';

describe('specifications that are offered', () => {
  it('begin with those whose names say so, and end with what every code base has', () => {
    expect(
      rankSpecs([
        'README.md',
        'notes.txt',
        'docs/api-requirements.md',
        'LICENSE.txt',
        'docs/spec.md',
        'spec.md',
      ]),
    ).toEqual([
      'spec.md',
      'docs/spec.md',
      'docs/api-requirements.md',
      'notes.txt',
      'LICENSE.txt',
      'README.md',
    ]);
  });
});
