import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { SpecError } from './errors.ts';
import { openSpecification, specificationTitle } from './open-specification.ts';
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

describe('an HTML page', () => {
  const page =
    '<!doctype html><title>Words</title><nav>menu</nav><h1>MiniSQL</h1><p>A small\nengine.' +
    '<h2>2. Select</h2><pre>SELECT 1</pre><h2>Select</h2>again';

  it('has sections by its headings, with lines as it is read', async () => {
    const spec = await open('minisql.html', page);
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
      ['minisql', 'MiniSQL', 1, 1, 4],
      ['minisql/select', '2. Select', 2, 5, 10],
      ['minisql/select-2', 'Select', 2, 11, 13],
    ]);
    expect(spec.read('minisql/select')).toBe('## 2. Select\n\n```\nSELECT 1\n```');
    const lines = spec.read('minisql').split('\n');
    expect(spec.search('engine', 5)).toEqual([
      { section: 'minisql', document: 'minisql.html', line: 3, text: lines[2] },
    ]);
  });

  it('without headings is one section, which its title names', async () => {
    const spec = await open('02-a page.HTM', '<title>The page</title><p>Text.');
    expect(spec.outline).toMatchObject([{ id: 'a-page', title: 'The page', firstLine: 1, lastLine: 1 }]);
    expect(spec.title).toBe('The page');
  });

  it.each([
    ['windows-1252', '<meta charset="windows-1252">', Buffer.from('Größe', 'latin1')],
    [
      'ISO-8859-1 in a header',
      '<META HTTP-EQUIV=content-type CONTENT="text/html; charset=ISO-8859-1">',
      Buffer.from('Größe', 'latin1'),
    ],
    [
      'a single-byte encoding with its own signs',
      '<meta charset=windows-1252>',
      Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x93, 0x94]),
    ],
    ['ISO-8859-15', '<meta charset=iso-8859-15>', Buffer.from('Größe', 'latin1')],
    [
      'what an XML declaration says',
      '<?xml version="1.0" encoding="iso-8859-1"?>',
      Buffer.from('Größe', 'latin1'),
    ],
    [
      'UTF-8 by name, after much else',
      `<!-- <meta charset=koi8-r> ${'x'.repeat(3000)} --><meta charset=UTF-8>`,
      Buffer.from('Größe'),
    ],
    ['UTF-8 by default', '', Buffer.from('Größe')],
    ['UTF-8, where it claims to be UTF-16', '<meta charset=utf-16>', Buffer.from('Größe')],
    ['UTF-8 by its mark, whatever it names', '\uFEFF<meta charset=koi8-r>', Buffer.from('Größe')],
  ])('may be in %s', async (_, head, title) => {
    const bytes = Buffer.concat([Buffer.from(`${head}<h1>`), title, Buffer.from('</h1>')]);
    expect(ids(await open('a.html', bytes))).toEqual(['größe']);
  });

  it('may be in UTF-16 with its mark', async () => {
    const bytes = Buffer.from('\uFEFF<meta charset=utf-8><h1>Größe</h1>', 'utf16le');
    expect(ids(await open('a.html', bytes))).toEqual(['größe']);
  });
});

describe('a folder', () => {
  it('mixes documents of all kinds, in order of their paths', async () => {
    await write('1/b.html', '<title>B</title><p>before</p><h1>Same</h1><h1>Same</h1>');
    await write('1/a.md', '# Same\n\ntext\n');
    await write('10.htm', '<h1>Last</h1>');
    await write('2.txt', 'plain');
    await write('2.html', '<p>page');
    await write('1/a.html', '<h1>Same</h1>');
    const spec = await openSpecification(folder, nodeFileSystem);
    expect(spec.outline.map(({ id, title, document }) => [id, title, document])).toEqual([
      ['1/a', 'Same', '1/a.html'],
      ['1/a-2', 'Same', '1/a.md'],
      ['1/b', 'B', '1/b.html'],
      ['1/b/same', 'Same', '1/b.html'],
      ['1/b/same-2', 'Same', '1/b.html'],
      ['2', '2', '2.html'],
      ['2-2', '2', '2.txt'],
      ['10', 'Last', '10.htm'],
    ]);
    expect(await specificationTitle(folder, nodeFileSystem)).toBe(spec.title);
  });

  it('of many pages lets others have their turn while it is loaded', async () => {
    const body = '<h2>Title</h2><p>Some words of a page.</p>'.repeat(400);
    await Promise.all(Array.from({ length: 60 }, async (_, index) => write(`${index}.html`, body)));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    // Nothing is waited for but the other turns: the files are in memory.
    const bytes = Buffer.from(body);
    await openSpecification(folder, { ...nodeFileSystem, readFile: async () => bytes });
    isOver = true;
    expect(turns).toBeGreaterThan(60);
  });

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
    expect(error.message).toContain('.html');
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

  it.each([
    ['UTF-8 by default', '', 'utf-8'],
    ['UTF-8 by name', '<meta charset=utf8>', 'utf8'],
    ['a multi-byte encoding', '<meta charset="shift_jis">', 'shift_jis'],
  ])('is a page that is not in %s', async (_, head, encoding) => {
    const bytes = Buffer.concat([Buffer.from(`${head}<p>`), Buffer.from([0xff, 0xfe, 0xa0])]);
    expect(await fails(await write('a.html', bytes))).toMatchObject({
      code: 'binary',
      details: { path: 'a.html', encoding },
    });
  });

  it('is a page that names an encoding that nobody knows', async () => {
    expect(await fails(await write('a.html', '<meta charset=klingon><p>nuqneH'))).toMatchObject({
      code: 'unknown-encoding',
      details: { path: 'a.html', encoding: 'klingon' },
    });
  });

  it.each([
    ['<title>Only a title</title><script>app()</script><div id="root"></div>'],
    ['<nav>menu</nav><!-- text -->'],
  ])('is a page without text: %s', async (page) => {
    expect(await fails(await write('a.html', page))).toMatchObject({ code: 'empty' });
  });

  it('is too large', async () => {
    const path = await write('a.md', '');
    await truncate(path, 32 * 1024 ** 2 + 1);
    expect(await fails(path)).toMatchObject({ code: 'too-large', details: { path, unit: 'bytes' } });
  });

  it('is a folder of documents that are too large together, or too many', async () => {
    const large: FileSystem = {
      ...nodeFileSystem,
      stat: async (path) => Object.assign(await nodeFileSystem.stat(path), { size: 30 * 1024 ** 2 }),
    };
    await Promise.all(['1.md', '2.md', '3.md', '4.md', '5.md'].map(async (name) => write(name, '# A')));
    expect(await fails(folder, large)).toMatchObject({
      code: 'too-large',
      details: { path: folder, limit: 128 * 1024 ** 2, unit: 'bytes' },
    });
    const [one] = await nodeFileSystem.readDirectory(folder);
    const many: FileSystem = {
      ...nodeFileSystem,
      readDirectory: async () => (one === undefined ? [] : Array.from({ length: 10_001 }, () => one)),
    };
    expect(await fails(folder, many)).toMatchObject({
      code: 'too-large',
      details: { path: folder, limit: 10_000, unit: 'documents' },
    });
  });
});
