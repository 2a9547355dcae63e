import { chmod, lstat, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
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

describe('undo', () => {
  test('takes back what one command has decided, also a discard', async () => {
    await using one = await ReviewBench.start({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await one.build({ 'a.txt': 'A\n', 'b.txt': 'B\n', 'c.txt': 'C\n' });
    await one.green();
    await one.accept(['a.txt', 'b.txt', 'c.txt']);
    expect(one.landing.undecided).toBe(0);
    await one.undo();
    expect(one.rows()).toEqual(['a.txt pending', 'b.txt pending', 'c.txt pending']);
    expect((await readdir(one.workspace)).toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(await one.read('b.txt')).toBe('b\n');
    await one.discard(['a.txt']);
    await one.undo();
    expect(one.rows()[0]).toBe('a.txt pending');
    expect(one.log.projection.landedHashes.size).toBe(0);
  });

  test('keeps what the user has edited since', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n4\n5\n' });
    await one.build({ 'a.txt': '1\n2\n3\n4\nfive\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.write({ 'a.txt': 'uno\n2\n3\n4\nfive\n' });
    expect(await one.undo()).toEqual(['a.txt done']);
    expect(await one.read('a.txt')).toBe('uno\n2\n3\n4\n5\n');
    expect(await one.proposal('a.txt')).toBe('uno\n2\n3\n4\nfive\n');
  });

  test('does nothing where the user has edited the same lines, and says so', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.write({ 'a.txt': 'uno\n' });
    expect(await one.undo()).toEqual(['a.txt same-lines']);
    expect(await one.read('a.txt')).toBe('uno\n');
    expect(one.rows()).toEqual(['a.txt accepted']);
  });

  test('of an earlier landing offers the file again', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.build({ 'b.txt': 'b\n' });
    await one.green();
    await one.discard(['b.txt']);
    await one.undo();
    await one.accept(['b.txt']);
    await one.undo();
    await one.discard(['b.txt']);
    expect(one.landing.id).toBe('r-2');
    await one.review.undo(one.log.projection.review.decisions[0]?.decision ?? '');
    expect(await one.read('a.txt')).toBe('1\n');
    expect(one.landing.id).toBe('r-3');
    expect(one.rows()).toEqual(['a.txt pending']);
  });

  test('a file that holds again what it held before is no longer accepted', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.write({ 'a.txt': '1\n' });
    await one.sightDisk('a.txt');
    expect(one.rows()).toEqual(['a.txt pending']);
    expect(await one.proposal('a.txt')).toBe('one\n');
    expect(one.log.projection.review.decisions).toEqual([]);
  });
});

describe('an open file', () => {
  test('is edited by the editor: the intent is durable first, then the result', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n' });
    await one.build({ 'a.txt': '1\n2\nthree\n' });
    await one.green();
    const typed = { path: 'a.txt', version: 1, bytes: Buffer.from('uno\n2\n3\n') };
    const command = { landing: 'r-1', group: 'g' };
    const plain = { approved: false, replace: false };
    const plan = await one.review.beginEdit(command, typed, plain);
    expect(plan).toMatchObject({ kind: 'edit' });
    if (plan.kind !== 'edit') return;
    expect(Buffer.from(plan.bytes).toString()).toBe('uno\n2\nthree\n');
    expect(one.log.projection.review.intents.size).toBe(1);
    await one.review.endEdit(plan.decision, { kind: 'applied', bytes: plan.bytes, saved: false });
    expect(one.rows()).toEqual(['a.txt accepted']);
    expect(await one.read('a.txt')).toBe('1\n2\n3\n');
    // The editor was closed without saving: the disk never had it.
    await one.sightDisk('a.txt');
    expect(one.rows()).toEqual(['a.txt pending']);
  });

  test('what the formatter has made of it on saving is ours, and is undone with it', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one \n' });
    await one.green();
    const open = { path: 'a.txt', version: 1, bytes: Buffer.from('1\n') };
    const plan = await one.review.beginEdit({ landing: 'r-1', group: 'g' }, open, {
      approved: false,
      replace: false,
    });
    if (plan.kind !== 'edit') throw new Error('no edit');
    await one.write({ 'a.txt': 'one\n' });
    await one.review.endEdit(plan.decision, { kind: 'applied', bytes: Buffer.from('one\n'), saved: true });
    const back = await one.review.beginUndo(plan.decision, Buffer.from('one\n'));
    expect(back.kind === 'edit' && Buffer.from(back.bytes).toString()).toBe('1\n');
    await one.review.endEdit(plan.decision, { kind: 'applied', bytes: Buffer.from('1\n'), saved: true });
    expect(one.rows()).toEqual(['a.txt pending']);
  });

  test('an edit that the editor refuses has not happened', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    const open = { path: 'a.txt', version: 1, bytes: Buffer.from('1\n') };
    const plan = await one.review.beginEdit({ landing: 'r-1', group: 'g' }, open, {
      approved: false,
      replace: false,
    });
    if (plan.kind !== 'edit') throw new Error('no edit');
    await one.review.endEdit(plan.decision, { kind: 'refused' });
    expect(one.rows()).toEqual(['a.txt pending']);
    expect(await one.accept(['a.txt'])).toEqual(['a.txt done']);
  });
});

describe('when green moves on', () => {
  test('what is pending stays as it is until it is refreshed; decided files stay decided', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n', 'b.txt': '1\n', 'e.txt': '1\n2\n3\n' });
    await one.build({ 'a.txt': '2\n', 'b.txt': '2\n', 'c.txt': '2\n', 'e.txt': '1\n2\nthree\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.discard(['c.txt']);
    await one.review.editProposal('r-1', 'e.txt', Buffer.from('mine\n2\nthree\n'));
    await one.build({ 'b.txt': '3\n', 'd.txt': '3\n', 'e.txt': '1\n2\n3!\n' });
    await one.green();
    expect(await one.proposal('b.txt')).toBe('2\n');
    await one.review.refresh('r-1');
    expect(one.rows()).toEqual([
      'a.txt accepted',
      'b.txt pending',
      'c.txt discarded',
      'd.txt pending',
      'e.txt pending',
    ]);
    expect(await one.proposal('b.txt')).toBe('3\n');
    expect(await one.proposal('e.txt')).toBe('mine\n2\n3!\n');
  });

  test('a newer version of a file that is decided comes with the next landing', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n', 'b.txt': '1\n' });
    await one.build({ 'a.txt': '2\n', 'b.txt': '2\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.build({ 'a.txt': '3\n' });
    await one.green();
    await one.review.refresh('r-1');
    expect(one.rows()).toEqual(['a.txt accepted', 'b.txt pending']);
    await one.accept(['b.txt']);
    expect(one.landing.id).toBe('r-2');
    expect(one.rows()).toEqual(['a.txt pending']);
    await one.accept(['a.txt']);
    expect(await one.read('a.txt')).toBe('3\n');
  });

  test('an edited proposal that green contradicts is shown as a conflict, and the edit is kept', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': '2\n' });
    await one.green();
    await one.review.editProposal('r-1', 'a.txt', Buffer.from('mine\n'));
    await one.build({ 'a.txt': '3\n' });
    await one.green();
    await one.review.refresh('r-1');
    expect(one.rows()).toEqual(['a.txt conflict proposal-edited']);
    expect(await one.proposal('a.txt')).toBe('mine\n');
  });
});

describe('the landing of the terminal', () => {
  test('after some files were decided leaves those alone', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n' });
    await one.build({ 'a.txt': 'one\n2\n3\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.write({ 'a.txt': 'one\n2\nmine\n' });
    await one.discard(['b.txt']);
    expect(await one.landWhole()).toEqual([
      'a.txt already-there',
      'b.txt waits: you have discarded it in the editor',
      'c.txt written',
    ]);
    expect(await one.landWhole({ take: ['b.txt'] })).toContain('b.txt written');
    await one.sightDisk('c.txt');
    expect(one.landing.undecided).toBe(0);
  });
});

test('a disk that is full while a file is written changes nothing, and the file can be accepted later', async () => {
  await using one = await ReviewBench.start({ 'a.txt': 'a\n' });
  await one.build({ 'a.txt': 'A\n', 'b.txt': 'B\n' });
  await one.green();
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  await one.reopen({
    fileSystem: {
      ...nodeFileSystem,
      writeFile: async (path, bytes, mode) => {
        if (path.includes('.swarmwright-')) throw full;
        await nodeFileSystem.writeFile(path, bytes, mode);
      },
    },
  });
  expect(await one.accept(['a.txt', 'b.txt'])).toEqual(['a.txt failed ENOSPC', 'b.txt failed ENOSPC']);
  expect(await one.read('a.txt')).toBe('a\n');
  expect(await readdir(one.workspace)).toEqual(['a.txt']);
  await one.reopen();
  expect(await one.accept(['a.txt', 'b.txt'])).toEqual(['a.txt done', 'b.txt done']);
});
