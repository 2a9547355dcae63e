import { describe, expect, test } from 'vitest';

import { WorkerBench } from './testing/worker-bench.ts';

describe('edit_file', () => {
  test('changes the one place, and nothing else', async () => {
    const bench = await WorkerBench.open({ a: 'let a = 1;\nlet b = 2;' });
    expect(await bench.call('edit_file', { path: 'a', old: 'b = 2', new: 'b = 3' })).toBe(
      'outcome=edited path=a',
    );
    expect(await bench.bytes('a')).toBe('let a = 1;\nlet b = 3;');
  });

  test('keeps byte order mark, CRLF, mode and the missing final line end', async () => {
    const bench = await WorkerBench.open({ a: { mode: 'executable', content: '\uFEFFone\r\ntwo' } });
    await bench.call('edit_file', { path: 'a', old: 'one\ntwo', new: 'one\n2\n3' });
    expect(await bench.bytes('a')).toBe('\u00ef\u00bb\u00bfone\r\n2\r\n3');
    expect(bench.view.entry('a')?.mode).toBe('executable');
  });

  test('takes a byte order mark in an argument for the habit that it is', async () => {
    const bench = await WorkerBench.open({ a: '\uFEFFone' });
    await bench.call('edit_file', { path: 'a', old: '\uFEFFone', new: '\uFEFFtwo' });
    expect(await bench.bytes('a')).toBe('\u00ef\u00bb\u00bftwo');
  });

  test('does nothing when the place is not there, or is there twice', async () => {
    const bench = await WorkerBench.open({ a: 'x\nx\n' });
    expect(await bench.call('edit_file', { path: 'a', old: 'x', new: 'y' })).toMatch(
      /^outcome=invalid .*2 times/,
    );
    expect(await bench.call('edit_file', { path: 'a', old: 'z', new: 'y' })).toMatch(
      /^outcome=invalid .*not in/,
    );
    expect(bench.view.edits()).toEqual([]);
  });

  test('refuses links, binary files and files that are not there', async () => {
    const bench = await WorkerBench.open({ link: { mode: 'symlink', content: 'a' }, bin: Uint8Array.of(0) });
    const args = { old: 'a', new: 'b' };
    expect(await bench.call('edit_file', { path: 'link', ...args })).toContain('is a symbolic link');
    expect(await bench.call('edit_file', { path: 'bin', ...args })).toContain('bin is binary');
    expect(await bench.call('edit_file', { path: 'c', ...args })).toContain('no such file: c');
    expect(bench.view.edits()).toEqual([]);
  });
});

describe('write_file', () => {
  test('makes a file with the bytes as given', async () => {
    const bench = await WorkerBench.open({});
    expect(await bench.call('write_file', { path: 'src/é.js', content: 'a\r\nb' })).toBe(
      'outcome=written path=src/é.js lines=2',
    );
    expect(await bench.bytes('src/é.js')).toBe('a\r\nb');
    expect(bench.view.entry('src/é.js')?.mode).toBe('file');
  });

  test('keeps the mode of a file unless it is told otherwise', async () => {
    const bench = await WorkerBench.open({ 'run.sh': { mode: 'executable', content: 'a' } });
    await bench.call('write_file', { path: 'run.sh', content: 'b' });
    expect(bench.view.entry('run.sh')?.mode).toBe('executable');
    await bench.call('write_file', { path: 'run.sh', content: 'b', executable: false });
    expect(bench.view.entry('run.sh')?.mode).toBe('file');
    await bench.call('write_file', { path: 'new.sh', content: 'b', executable: true });
    expect(bench.view.entry('new.sh')?.mode).toBe('executable');
  });

  test('says when CRLF or the byte order mark are gone', async () => {
    const bench = await WorkerBench.open({ a: '\uFEFFx\r\ny\r\n' });
    expect(await bench.call('write_file', { path: 'a', content: 'x\ny\n' })).toBe(
      'outcome=written path=a lines=2\n' +
        'note: the file had CRLF line ends and has LF now\n' +
        'note: the file had a byte order mark and has none now',
    );
    expect(await bench.bytes('a')).toBe('x\ny\n');
  });

  test('replaces no link and no binary file', async () => {
    const bench = await WorkerBench.open({ link: { mode: 'symlink', content: 'a' }, bin: Uint8Array.of(0) });
    expect(await bench.call('write_file', { path: 'link', content: 'x' })).toContain('delete it first');
    expect(await bench.call('write_file', { path: 'bin', content: 'x' })).toContain('delete it first');
    expect(bench.view.edits()).toEqual([]);
  });

  test.each(['/etc/passwd', '../x', 'a/../b', 'a\\b', '.git/hooks/pre-commit', 'a//b', 'src'])(
    'refuses the path %s',
    async (path) => {
      const bench = await WorkerBench.open({ 'src/a': 'x' });
      expect(await bench.call('write_file', { path, content: 'x' })).toMatch(/^outcome=invalid problem=/);
      expect(bench.view.edits()).toEqual([]);
    },
  );
});

test('delete_file and move_file do so, and refuse what is not there or is taken', async () => {
  const bench = await WorkerBench.open({ a: 'x', b: { mode: 'executable', content: 'y' }, c: 'z' });
  expect(await bench.call('delete_file', { path: 'a' })).toBe('outcome=deleted path=a');
  expect(await bench.call('delete_file', { path: 'a' })).toMatch(/^outcome=invalid .*no such file: a/);
  expect(await bench.call('move_file', { from: 'b', to: 'd/b' })).toBe('outcome=moved from=b to=d/b');
  expect(bench.view.entry('d/b')?.mode).toBe('executable');
  expect(await bench.call('move_file', { from: 'b', to: 'e' })).toMatch(
    /^outcome=invalid .*from: no such file: b/,
  );
  expect(await bench.call('move_file', { from: 'c', to: 'd/b' })).toMatch(/^outcome=invalid .*d\/b is there/);
  expect(await bench.call('move_file', { from: 'c', to: '../c' })).toMatch(/^outcome=invalid/);
  expect([...bench.view.walk()].map(([path]) => path)).toEqual(['c', 'd/b']);
});

test('an edit outside the scope is made, and the worker is told what it needs', async () => {
  const bench = await WorkerBench.open({ 'core/a': 'x' }, ['src/**']);
  const note = 'note: outside your scope; submit needs breakage_reason';
  expect(await bench.call('edit_file', { path: 'core/a', old: 'x', new: 'y' })).toBe(
    `outcome=edited path=core/a\n${note}`,
  );
  expect(await bench.call('write_file', { path: 'src/b', content: '' })).toBe(
    'outcome=written path=src/b lines=0',
  );
  expect(await bench.call('move_file', { from: 'src/b', to: 'b' })).toBe(
    `outcome=moved from=src/b to=b\n${note}`,
  );
});
