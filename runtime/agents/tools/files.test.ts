import { describe, expect, test } from 'vitest';

import { WorkerBench } from './testing/worker-bench.ts';

describe('read_file', () => {
  test('shows lines with their numbers', async () => {
    const bench = await WorkerBench.open({ 'src/a.js': 'one\ntwo\n' });
    expect(await bench.call('read_file', { path: 'src/a.js' })).toBe(
      'path=src/a.js lines=1-2 of=2\n1\tone\n2\ttwo',
    );
  });

  test('shows a range, and how to read on', async () => {
    const bench = await WorkerBench.open({ a: 'one\ntwo\nthree\n' });
    expect(await bench.call('read_file', { path: 'a', from_line: 2, to_line: 2 })).toBe(
      'path=a lines=2-2 of=3\n2\ttwo',
    );
    expect(await bench.call('read_file', { path: 'a', from_line: 3, to_line: 9 })).toBe(
      'path=a lines=3-3 of=3\n3\tthree',
    );
    expect(await bench.call('read_file', { path: 'a', from_line: 4 })).toMatch(
      /^outcome=invalid .*has 3 lines/,
    );
    expect(await bench.call('read_file', { path: 'a', from_line: 2, to_line: 1 })).toMatch(
      /^outcome=invalid/,
    );
  });

  test('stops after 2,000 lines or 64 KiB and says where to read on', async () => {
    const bench = await WorkerBench.open({
      many: 'x\n'.repeat(2500),
      wide: `${'y'.repeat(999)}\n`.repeat(100),
    });
    const many = await bench.call('read_file', { path: 'many' });
    expect(many).toMatch(/^path=many lines=1-2000 of=2500\nnote: read on with from_line=2001\n1\tx\n/);
    const wide = await bench.call('read_file', { path: 'wide' });
    expect(wide).toMatch(/^path=wide lines=1-64 of=100\nnote: read on with from_line=65\n/);
    expect(wide).not.toContain('left out');
    expect(wide.length).toBeLessThan(64 * 1024);
  });

  test('cuts a line that is too long for a result', async () => {
    const bench = await WorkerBench.open({ min: `${'z'.repeat(100_000)}\nlast\n` });
    const text = await bench.call('read_file', { path: 'min' });
    expect(text).toMatch(/^path=min lines=1-1 of=2\nnote: line 1 is too long and was cut\nnote: read on/);
    expect(text.length).toBeLessThan(64 * 1024);
  });

  test('shows an empty file as one without lines', async () => {
    const bench = await WorkerBench.open({ empty: '' });
    expect(await bench.call('read_file', { path: 'empty' })).toBe('path=empty lines=0-0 of=0');
  });

  test('says what cannot be seen: CRLF, a byte order mark, parked work', async () => {
    const bench = await WorkerBench.open({ a: '\uFEFFone\r\ntwo\r\n', mixed: 'a\nb\r\n' });
    bench.notes.set('a', 'root/x has parked work on this path');
    expect(await bench.call('read_file', { path: 'a' })).toBe(
      [
        'path=a lines=1-2 of=2',
        'note: root/x has parked work on this path',
        'note: begins with a byte order mark, which edits keep',
        'note: CRLF line ends, which edits keep',
        '1\tone',
        '2\ttwo',
      ].join('\n'),
    );
    expect(await bench.call('read_file', { path: 'mixed' })).toContain('CRLF and LF line ends mixed');
  });

  test('refuses binary, other encodings and what is too large', async () => {
    const bench = await WorkerBench.open({
      'a.bin': Uint8Array.of(1, 0, 2),
      'utf16.txt': Uint8Array.of(0xff, 0xfe, 0x61, 0),
      'latin1.txt': Uint8Array.of(0xe9, 0x74),
    });
    expect(await bench.call('read_file', { path: 'a.bin' })).toContain('a.bin is binary');
    expect(await bench.call('read_file', { path: 'utf16.txt' })).toContain('is UTF-16, not UTF-8');
    expect(await bench.call('read_file', { path: 'latin1.txt' })).toContain('is not UTF-8');
  });

  test('shows no secrets, and search does not either', async () => {
    const bench = await WorkerBench.open({
      'app/.env.local': 'KEY=x',
      '.env': 'KEY=x',
      '.env.example': 'KEY=',
    });
    expect(await bench.call('read_file', { path: '.env' })).toMatch(/^outcome=invalid .*holds secrets/);
    expect(await bench.call('read_file', { path: 'app/.env.local' })).toMatch(/^outcome=invalid/);
    expect(await bench.call('read_file', { path: '.env.example' })).toContain('1\tKEY=');
    expect(await bench.call('search', { query: 'key' })).toBe('matches=1 files=1\n.env.example:1: KEY=');
  });

  test('does not follow a symbolic link', async () => {
    const bench = await WorkerBench.open({ link: { mode: 'symlink', content: '/etc/passwd' } });
    expect(await bench.call('read_file', { path: 'link' })).toBe(
      'path=link link=/etc/passwd\nnote: a symbolic link; it is not followed',
    );
  });

  test('names what was probably meant when there is no such file', async () => {
    const bench = await WorkerBench.open({ 'src/sql/lexer.js': '' });
    expect(await bench.call('read_file', { path: 'src/lexer.js' })).toBe(
      'outcome=invalid problem="path: no such file: src/lexer.js"\nOf the same name: src/sql/lexer.js',
    );
    expect(await bench.call('read_file', { path: 'src' })).toMatch(/^outcome=invalid .*src is a folder/);
    expect(await bench.call('read_file', { path: './src/sql/lexer.js' })).toMatch(/^path=src\/sql\/lexer.js/);
  });

  test('shows the worker its own edits', async () => {
    const bench = await WorkerBench.open({ a: 'old\n' });
    await bench.call('write_file', { path: 'a', content: 'new\n' });
    expect(await bench.call('read_file', { path: 'a' })).toContain('1\tnew');
  });
});

describe('list_files', () => {
  test('shows all files, or those below a folder', async () => {
    const bench = await WorkerBench.open({ 'a.js': 'x', 'src/b.js': 'xx', 'src/c/d.js': '' });
    expect(await bench.call('list_files')).toBe('folder=. files=3\na.js\t1\nsrc/b.js\t2\nsrc/c/d.js\t0');
    const below = 'folder=src files=2\nsrc/b.js\t2\nsrc/c/d.js\t0';
    expect(await bench.call('list_files', { folder: 'src' })).toBe(below);
    expect(await bench.call('list_files', { folder: './src/' })).toBe(below);
    expect(await bench.call('list_files', { folder: 'sr' })).toBe('folder=sr files=0\nnote: no such folder');
  });

  test('of an empty tree says so', async () => {
    expect(await (await WorkerBench.open({})).call('list_files')).toBe('folder=. files=0');
  });

  test('shows folders with their counts where there are too many files', async () => {
    const files = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`lib/f${index}.js`, '']));
    const bench = await WorkerBench.open({ ...files, 'a.js': '' });
    expect(await bench.call('list_files')).toBe(
      'folder=. files=1201\nnote: too many to list; list one of the folders\na.js\nlib/\t1200 files',
    );
    const lib = await bench.call('list_files', { folder: 'lib' });
    expect(lib.split('\n')).toHaveLength(1002);
  });
});

describe('search', () => {
  test('finds a plain text, ignoring case', async () => {
    const bench = await WorkerBench.open({ a: 'Foo(1)\nbar\n', 'src/b': 'x foo(1)\r\n', c: 'fo' });
    expect(await bench.call('search', { query: 'foo(' })).toBe(
      'matches=2 files=2\na:1: Foo(1)\nsrc/b:1: x foo(1)',
    );
    expect(await bench.call('search', { query: 'FOO', folder: 'src' })).toBe(
      'matches=1 files=1\nsrc/b:1: x foo(1)',
    );
    expect(await bench.call('search', { query: 'f.o' })).toBe('matches=0 files=0');
  });

  test('stops at 100 lines, and shows a long line around the place', async () => {
    const bench = await WorkerBench.open({
      a: 'hit\n'.repeat(150),
      long: `${'.'.repeat(500)}needle${'.'.repeat(500)}`,
    });
    const text = await bench.call('search', { query: 'hit' });
    expect(text).toMatch(/^matches=100 files=1\nnote: stopped at 100/);
    expect(text.split('\n')).toHaveLength(102);
    const long = await bench.call('search', { query: 'needle' });
    expect(long).toMatch(/long:1: ….*needle.*…$/);
    expect(long.length).toBeLessThan(300);
  });

  test('skips binary files and files over 1 MiB, and says so', async () => {
    const bench = await WorkerBench.open({ bin: Uint8Array.of(0, 104), big: 'h'.repeat(1_100_000), a: 'h' });
    expect(await bench.call('search', { query: 'h' })).toBe(
      'matches=1 files=1\nnote: 2 files skipped, which are over 1 MiB or not UTF-8\na:1: h',
    );
  });
});
