import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { ReviewBench } from './testing/review-bench.ts';

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
      'a.txt kept',
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
