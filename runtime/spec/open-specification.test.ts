import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { SpecError } from './errors.ts';
import { openSpecification } from './open-specification.ts';
import type { Specification } from './specification.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spec-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function open(name: string, content: string | Uint8Array): Promise<Specification> {
  return openSpecification(await write(name, content), nodeFileSystem);
}

async function fails(path: string, fileSystem: FileSystem = nodeFileSystem): Promise<SpecError> {
  try {
    await openSpecification(path, fileSystem);
  } catch (error) {
    if (SpecError.is(error)) return error;
    throw error;
  }
  throw new Error('it was opened');
}

const ids = (spec: Specification): string[] => spec.outline.map(({ id }) => id);

describe('a Markdown document', () => {
  const text = [
    '# MiniSQL',
    'A small engine.',
    '',
    '## 2. Select',
    '```sh',
    '# no heading',
    '```',
    'Where clause',
    '------------',
    'WHERE filters rows.',
    '### `NULL` *logic*',
    'NULL is unknown.',
    '',
    '## Select',
    'again',
    '',
  ].join('\n');

  it('has a section for each heading, but none for what stands in code', async () => {
    const spec = await open('minisql.md', text);
    expect(spec.title).toBe('MiniSQL');
    expect(
      spec.outline.map(({ id, title, level, firstLine, lastLine }) => [
        id,
        title,
        level,
        firstLine,
        lastLine,
      ]),
    ).toEqual([
      ['minisql', 'MiniSQL', 1, 1, 3],
      ['minisql/select', '2. Select', 2, 4, 7],
      ['minisql/where-clause', 'Where clause', 2, 8, 10],
      ['minisql/where-clause/null-logic', 'NULL logic', 3, 11, 13],
      ['minisql/select-2', 'Select', 2, 14, 15],
    ]);
  });

  it('is read by section, with what is below it', async () => {
    const spec = await open('minisql.md', text);
    expect(spec.read('minisql/select-2')).toBe('## Select\nagain');
    expect(spec.read('minisql/where-clause')).toBe(
      'Where clause\n------------\nWHERE filters rows.\n### `NULL` *logic*\nNULL is unknown.',
    );
    expect(spec.read('minisql')).toBe(text.trimEnd());
  });

  it('names the nearest ids where there is no such section', async () => {
    const spec = await open('minisql.md', text);
    expect(() => spec.read('minisql/wher-clause')).toThrow(
      expect.objectContaining({
        code: 'no-such-section',
        details: expect.objectContaining({
          nearest: expect.stringMatching(/^minisql\/where-clause, .+, .+$/u),
        }),
      }),
    );
  });

  it('is searched for lines that hold all words, whatever their case', async () => {
    const spec = await open('minisql.md', text);
    expect(spec.search('null IS', 10)).toEqual([
      {
        section: 'minisql/where-clause/null-logic',
        document: 'minisql.md',
        line: 12,
        text: 'NULL is unknown.',
      },
    ]);
    expect(spec.search('select', 1)).toHaveLength(1);
    expect(spec.search('  ', 10)).toEqual([]);
  });

  it('has a section for what stands before the first heading', async () => {
    const spec = await open('intro.md', 'Hello.\n\n# One\n# Two\n');
    expect(ids(spec)).toEqual(['intro', 'one', 'two']);
    expect(spec.title).toBe('One');
    expect(spec.read('intro')).toBe('Hello.');
  });

  it('keeps front matter out', async () => {
    const spec = await open('a.md', '---\ntitle: x\n---\n\n# One\ntext\n');
    expect(spec.outline).toMatchObject([{ id: 'one', firstLine: 5, lastLine: 6 }]);
  });

  it('is one section when it has no headings', async () => {
    const spec = await open('notes.md', 'Just text.');
    expect(spec.outline).toMatchObject([{ id: 'notes', title: 'notes', firstLine: 1, lastLine: 1 }]);
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFF# Größe\r\n')],
    ['UTF-16 LE', Buffer.from('\uFEFF# Größe\r\n', 'utf16le')],
    ['UTF-16 BE', Buffer.from('\uFEFF# Größe\r\n', 'utf16le').swap16()],
  ])('may be %s', async (_, bytes) => {
    expect(ids(await open('a.md', bytes))).toEqual(['größe']);
  });
});

describe('a plain text', () => {
  it('has sections by numbered headings', async () => {
    const spec = await open(
      'a.TXT',
      'Title\n\n1. Scope\n\ntext\n\n1. Do this.\n2. Do that.\n\n1.1 Terms\n\ntext\n\n2 Rules\n\n9 Lives\n\nx\n',
    );
    expect(ids(spec)).toEqual(['a', 'scope', 'scope/terms', 'rules']);
  });

  it('has sections by underlined headings', async () => {
    const spec = await open('a.txt', 'Engine\n======\n\nRows\n----\nx\n\nCells\n-----\ny\n');
    expect(ids(spec)).toEqual(['engine', 'engine/rows', 'engine/cells']);
  });

  it('is one section where neither is evident', async () => {
    expect(ids(await open('my notes.txt', 'Hello\n# not markdown\n'))).toEqual(['my-notes']);
  });
});

describe('a folder', () => {
  it('has a level for each document, in order, without hidden ones', async () => {
    await write('10-end.md', 'Text.\n# One\n# Two\n');
    await write('2-select/where.md', '# Where clause\n## Nulls\n');
    await write('2-select/plain.txt', 'plain');
    await write('empty.md', ' \n');
    await write('.git/x.md', '# no');
    await write('node_modules/x.md', '# no');
    await write('code.js', '# no');
    await symlink('code.js', join(folder, 'link.md'));
    const spec = await openSpecification(folder, nodeFileSystem);
    expect(spec.outline.map(({ id, title, level }) => [id, title, level])).toEqual([
      ['select/plain', 'plain', 1],
      ['select/where', 'Where clause', 1],
      ['select/where/nulls', 'Nulls', 2],
      ['end', '10-end', 1],
      ['end/one', 'One', 2],
      ['end/two', 'Two', 2],
      ['link', 'no', 1],
    ]);
    expect(spec.read('select/where')).toBe('# Where clause\n## Nulls');
  });
});

describe('what cannot be a specification', () => {
  it('is missing', async () => {
    expect(await fails(join(folder, 'no.md'))).toMatchObject({ code: 'missing' });
  });

  it.each(['', ' \n\t\n', '\uFEFF', '---\na: b\n---\n'])('is empty: %j', async (text) => {
    expect(await fails(await write('a.md', text))).toMatchObject({ code: 'empty' });
  });

  it('is a folder without documents', async () => {
    expect(await fails(folder)).toMatchObject({ code: 'empty', details: { documents: 0 } });
  });

  it.each([
    ['a NUL', Buffer.from('a\0b')],
    ['no UTF-8', Buffer.from([0x61, 0xff, 0x62])],
    ['half a UTF-16 pair', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
    ['an odd UTF-16', Buffer.from([0xff, 0xfe, 0x61])],
  ])('is binary: %s', async (_, bytes) => {
    expect(await fails(await write('a.md', bytes))).toMatchObject({
      code: 'binary',
      details: { path: 'a.md' },
    });
  });

  it('is of another kind, and it says what works', async () => {
    const error = await fails(await write('a.pdf', '%PDF'));
    expect(error).toMatchObject({ code: 'wrong-kind' });
    expect(error.details['works']).toContain('.md, .txt');
  });

  it('is not readable', async () => {
    const path = await write('a.md', '# A');
    await chmod(path, 0);
    const closed: FileSystem = {
      ...nodeFileSystem,
      readFile: async () => {
        throw Object.assign(new Error('closed'), { code: 'EACCES' });
      },
    };
    expect(await fails(path, closed)).toMatchObject({ code: 'unreadable' });
  });

  it('is too large', async () => {
    const path = await write('a.md', Buffer.alloc(32 * 1024 ** 2 + 1, 'a'));
    expect(await fails(path)).toMatchObject({ code: 'too-large' });
  });
});
