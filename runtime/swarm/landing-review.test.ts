import { chmod, lstat, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { RunProjection } from '#protocol/projection.ts';
import { ReviewBench } from './testing/review-bench.ts';

describe('a landing', () => {
  test('is offered when trunk is verified, with the files that differ from what the user has; nothing is written', async () => {
    await using one = await ReviewBench.start({ 'a.txt': 'a\n', 'gone.txt': 'x\n', 'mine.txt': 'm\n' });
    await one.build({ 'a.txt': 'A\n', 'gone.txt': null, 'new/b.txt': 'b\n' });
    expect(one.log.projection.review.landing).toBeUndefined();
    await one.green();
    expect(one.landing).toMatchObject({ id: 'r-1', verified: true, undecided: 3 });
    expect(one.rows()).toEqual(['a.txt pending', 'gone.txt pending', 'new/b.txt pending']);
    expect(await one.read('a.txt')).toBe('a\n');
    expect((await readdir(one.workspace)).toSorted()).toEqual(['a.txt', 'gone.txt', 'mine.txt']);
  });

  test('is not offered when the user has everything already', async () => {
    await using one = await ReviewBench.start({ 'a.txt': 'a\n' });
    await one.build({ 'a.txt': 'A\n' });
    await one.write({ 'a.txt': 'A\n' });
    await one.green();
    expect(one.log.projection.review.landing).toBeUndefined();
  });

  test('is rebuilt from journal and files, with what was decided and edited', async () => {
    await using one = await ReviewBench.start({ 'a.txt': 'a\n' });
    await one.build({ 'a.txt': 'A\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.discard(['b.txt']);
    await one.review.editProposal('r-1', 'c.txt', Buffer.from('my own\n'));
    const before = RunProjection.restore(JSON.parse(JSON.stringify(one.log.projection.snapshot()))).review;
    await one.reopen();
    expect(one.rows()).toEqual(['a.txt accepted', 'b.txt discarded', 'c.txt pending']);
    expect(one.log.projection.review.decisions).toEqual(before.decisions);
    expect(await one.proposal('c.txt')).toBe('my own\n');
    expect(await one.undo()).toEqual(['b.txt done']);
    expect(await one.undo()).toEqual(['a.txt done']);
    expect(await one.read('a.txt')).toBe('a\n');
  });
});

describe('accepting', () => {
  test('writes the proposal, byte for byte', async () => {
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a, 0x78]);
    await using one = await ReviewBench.start({ 'latin.txt': 'cafe\r\n' });
    await one.build({
      'latin.txt': latin,
      'bom.txt': '\u{feff}a\r\nb\n',
      'picture.bin': Buffer.from([0, 255, 13, 10]),
    });
    await one.green();
    expect(await one.accept(['latin.txt', 'bom.txt', 'picture.bin'])).toEqual([
      'latin.txt done',
      'bom.txt done',
      'picture.bin done',
    ]);
    expect(await one.readBytes('latin.txt')).toEqual(latin);
    expect(await one.readBytes('bom.txt')).toEqual(Buffer.from('\u{feff}a\r\nb\n'));
    expect(await one.readBytes('picture.bin')).toEqual(Buffer.from([0, 255, 13, 10]));
  });

  test('deletes, makes executable, and makes links', async () => {
    await using one = await ReviewBench.start({ 'a/gone.txt': 'x', 'run.sh': '#!/bin/sh\n' });
    await one.build({ 'a/gone.txt': null });
    await one.build({ 'run.sh': '#!/bin/sh\n' }, 'executable');
    await one.build({ link: 'run.sh' }, 'symlink');
    await one.green();
    await one.accept(['a/gone.txt', 'run.sh', 'link']);
    expect((await readdir(one.workspace)).toSorted()).toEqual(['link', 'run.sh']);
    expect((await lstat(one.path('run.sh'))).mode & 0o100).not.toBe(0);
    expect(await readlink(one.path('link'))).toBe('run.sh');
    await one.undo();
    expect(await one.read('a/gone.txt')).toBe('x');
    expect((await lstat(one.path('run.sh'))).mode & 0o100).toBe(0);
    expect((await readdir(one.workspace)).toSorted()).toEqual(['a', 'run.sh']);
  });

  test('takes both halves of a move', async () => {
    await using one = await ReviewBench.start({ 'old.txt': '1\n2\n3\n' });
    const content = Buffer.from('1\n2\n3\n');
    await one.submit([
      { kind: 'delete', path: 'old.txt' },
      { kind: 'write', path: 'new.txt', mode: 'file', content, movedFrom: 'old.txt' },
    ]);
    await one.green();
    await one.accept(['new.txt']);
    expect(await readdir(one.workspace)).toEqual(['new.txt']);
    await one.undo();
    expect(await readdir(one.workspace)).toEqual(['old.txt']);
  });

  test('does nothing for a version that the user has not seen', async () => {
    await using one = await ReviewBench.start({ 'a.txt': 'a\n' });
    await one.build({ 'a.txt': 'A\n' });
    await one.green();
    await one.review.editProposal('r-1', 'a.txt', Buffer.from('B\n'));
    const command = {
      landing: 'r-1',
      group: 'g',
      files: [{ path: 'a.txt', version: 1 }],
      approve: [],
      replace: [],
    };
    expect(await one.review.accept(command)).toEqual([{ path: 'a.txt', kind: 'outdated' }]);
    expect(await one.read('a.txt')).toBe('a\n');
  });

  test('of an edited proposal lands the edits; the terminal sees them as the user has', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n' });
    await one.build({ 'a.txt': 'one\n2\n3\n' });
    await one.green();
    await one.review.editProposal('r-1', 'a.txt', Buffer.from('one\n2\ndrei\n'));
    await one.accept(['a.txt']);
    expect(await one.read('a.txt')).toBe('one\n2\ndrei\n');
    await one.build({ 'a.txt': 'uno\n2\n3\n' });
    await one.green();
    expect(await one.proposal('a.txt')).toBe('uno\n2\ndrei\n');
  });

  test('a protected path waits until it is approved by name', async () => {
    await using one = await ReviewBench.start({});
    await one.build({ 'AGENTS.md': 'obey\n', 'a.txt': 'a\n' });
    await one.green();
    expect(one.rows()).toEqual(['AGENTS.md pending asks', 'a.txt pending']);
    expect(await one.accept(['AGENTS.md', 'a.txt'])).toEqual(['AGENTS.md needs-approval', 'a.txt done']);
    expect(await one.accept(['AGENTS.md'], { approve: ['AGENTS.md'] })).toEqual(['AGENTS.md done']);
  });

  test('a file in the place of a folder makes room first', async () => {
    await using one = await ReviewBench.start({ tool: '1', 'lib/x.js': '1' });
    await one.build({ tool: null, 'lib/x.js': null });
    await one.build({ 'tool/main.js': '2', lib: '2' });
    await one.green();
    await one.accept(['tool/main.js', 'lib', 'tool', 'lib/x.js']);
    expect(await one.read('tool/main.js')).toBe('2');
    expect(await one.read('lib')).toBe('2');
  });

  test('nothing is written through a link, over a read-only file, or into a repository of its own', async () => {
    await using one = await ReviewBench.start({
      'src/a.js': '1',
      'b.js': '1',
      'own/.git/HEAD': 'x',
      'own/c.js': '1',
    });
    await using elsewhere = await ReviewBench.start({});
    await one.build({ 'src/a.js': '2', 'b.js': '2', 'own/d.js': '2' });
    await one.green();
    await rm(one.path('src'), { recursive: true });
    await symlink(elsewhere.workspace, one.path('src'));
    await chmod(one.path('b.js'), 0o444);
    expect(await one.accept(['src/a.js', 'b.js', 'own/d.js'])).toEqual([
      'src/a.js way-blocked',
      'b.js read-only',
      'own/d.js way-blocked',
    ]);
    expect(await readdir(elsewhere.workspace)).toEqual([]);
  });
});

describe('the edits of the user', () => {
  test('made before the landing was offered are in the proposal', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n4\n5\n' });
    await one.build({ 'a.txt': '1\n2\n3\n4\nfive\n' });
    await one.write({ 'a.txt': 'one\n2\n3\n4\n5\n' });
    await one.green();
    expect(await one.proposal('a.txt')).toBe('one\n2\n3\n4\nfive\n');
    await one.accept(['a.txt']);
    expect(await one.read('a.txt')).toBe('one\n2\n3\n4\nfive\n');
    await one.undo();
    expect(await one.read('a.txt')).toBe('one\n2\n3\n4\n5\n');
  });

  test('made while it is pending are merged into the proposal, seen on the disk or in an editor', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n4\n5\n' });
    await one.build({ 'a.txt': '1\n2\n3\n4\nfive\n' });
    await one.green();
    await one.sightEditor('a.txt', 'one\n2\n3\n4\n5\n');
    expect(await one.proposal('a.txt')).toBe('one\n2\n3\n4\nfive\n');
    await one.write({ 'a.txt': 'uno\n2\n3\n4\n5\n' });
    await one.sightDisk('a.txt');
    expect(await one.proposal('a.txt')).toBe('uno\n2\n3\n4\nfive\n');
    expect(one.version('a.txt')).toBe(3);
  });

  test('that nobody has noticed win as well', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': '1\n' });
    await one.build({ 'a.txt': '1\n2\n3\n4\nfive\n', 'b.txt': 'one\n' });
    await one.green();
    await one.write({ 'a.txt': 'uno\n2\n3\n4\n5\n', 'b.txt': 'uno\n' });
    expect(await one.accept(['a.txt', 'b.txt'])).toEqual(['a.txt done', 'b.txt same-lines']);
    expect(await one.read('a.txt')).toBe('uno\n2\n3\n4\nfive\n');
    expect(await one.read('b.txt')).toBe('uno\n');
    expect(one.rows()).toEqual(['a.txt accepted', 'b.txt conflict same-lines']);
  });

  test('that conflict are never overwritten; once they merge, the file is pending again', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n', 'b.txt': '1\n', 'c.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n2\n3\n', 'b.txt': null, 'c.txt': '2\n' });
    await one.write({ 'a.txt': 'uno\n2\n3\n', 'b.txt': 'mine\n' });
    await rm(one.path('c.txt'));
    await one.green();
    expect(one.rows()).toEqual([
      'a.txt conflict same-lines',
      'b.txt conflict deleted-by-build',
      'c.txt conflict deleted-by-user',
    ]);
    expect(await one.accept(['a.txt'])).toEqual(['a.txt same-lines']);
    await one.write({ 'a.txt': '1\n2\ndrei\n' });
    await one.sightDisk('a.txt');
    expect(one.rows()[0]).toBe('a.txt pending');
    expect(await one.proposal('a.txt')).toBe('one\n2\ndrei\n');
  });

  test('are replaced only when the user says so for the file; what it held can be brought back', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.write({ 'a.txt': 'uno\n' });
    await one.green();
    expect(await one.accept(['a.txt'], { replace: ['a.txt'] })).toEqual(['a.txt done']);
    expect(await one.read('a.txt')).toBe('one\n');
    expect(await one.undo()).toEqual(['a.txt done']);
    expect(await one.read('a.txt')).toBe('uno\n');
    expect(one.rows()).toEqual(['a.txt conflict same-lines']);
  });

  test('that write what is proposed settle the file', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.write({ 'a.txt': 'one\n' });
    await one.sightDisk('a.txt');
    expect(one.rows()).toEqual(['a.txt there']);
    expect(await one.landWhole()).toEqual(['a.txt already-there']);
  });

  test('a conflict is settled by a proposal that holds their lines', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n' });
    await one.build({ 'a.txt': 'one\n2\nthree\n' });
    await one.write({ 'a.txt': 'uno\n2\n3\n' });
    await one.green();
    await one.review.editProposal('r-1', 'a.txt', Buffer.from('uno\n2\nthree\n'));
    expect(one.rows()).toEqual(['a.txt pending']);
    await one.accept(['a.txt']);
    expect(await one.read('a.txt')).toBe('uno\n2\nthree\n');
  });
});
