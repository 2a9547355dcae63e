import { describe, expect, it } from 'vitest';
import { pathProblem } from './paths.ts';
import { TestTrunk } from './testing/trunk.ts';

function codeOf(path: string): string | undefined {
  return pathProblem(path)?.code;
}

describe('a path', () => {
  it('has parts that a file system can hold, counted in bytes', () => {
    expect(codeOf(`src/${'a'.repeat(255)}`)).toBeUndefined();
    expect(codeOf(`src/${'a'.repeat(256)}/b`)).toBe('bad-path');
    expect(codeOf('ä'.repeat(127))).toBeUndefined();
    expect(codeOf('ä'.repeat(128))).toBe('bad-path');
  });

  it('is no longer and no deeper than a checkout can be', () => {
    const long = `${'a'.repeat(200)}/`.repeat(4);
    expect(codeOf(long + 'b'.repeat(196))).toBeUndefined();
    expect(codeOf(long + 'b'.repeat(197))).toBe('bad-path');
    expect(codeOf('d/'.repeat(63) + 'f')).toBeUndefined();
    expect(codeOf('d/'.repeat(64) + 'f')).toBe('bad-path');
  });

  it.each([
    '.git',
    '.GiT/config',
    'sub/.git',
    '.git.',
    '.git . .',
    '.git ',
    'git~1',
    'GIT~1/hooks/x',
    'git~1 .',
    '.git::$INDEX_ALLOCATION',
    '.git . :x',
    'git~1:stream',
    '.g\u{200b}it',
    '\u{feff}.git',
    '.git\u{200f}',
    '.\u{202e}g\u{206f}i\u{200d}T',
  ])('must not become the .git of a repository: %j', (path) => {
    expect(codeOf(path)).toBe('protected-path');
  });

  it.each([
    '.github/x',
    '.gitignore',
    '.gitattributes',
    'git',
    'git~2',
    'git~10',
    'x.git',
    '.git~1',
    '.git.x',
  ])('may be like it: %j', (path) => {
    expect(codeOf(path)).toBeUndefined();
  });
});

describe('a path that no checkout can hold', () => {
  const paths = ['n'.repeat(300), `${'d/'.repeat(3000)}f`];

  it('is refused by a view and by a submit, and trunk stays', async () => {
    const trunk = await TestTrunk.with({ a: '' });
    const view = trunk.repository.openView(trunk.repository.head().id);
    for (const path of paths) {
      expect(() => view.write(path, new Uint8Array())).toThrow(expect.objectContaining({ code: 'bad-path' }));
      expect(await trunk.submit('root/a', { [path]: '' })).toMatchObject({ rejection: { code: 'bad-path' } });
    }
    expect(await trunk.texts()).toEqual({ a: '' });
  });
});
