import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EditPlan } from '#protocol/landing-api.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { ReviewBench } from './testing/review-bench.ts';

const asked = { approved: false, replace: false };

async function beginEdit(one: ReviewBench, path: string, text: string): Promise<EditPlan> {
  const file = { path, version: one.version(path), bytes: Buffer.from(text) };
  return one.review.beginEdit({ landing: one.landing.id, group: 'edit' }, file, asked);
}

async function endEdit(one: ReviewBench, plan: EditPlan): Promise<void> {
  if (plan.kind !== 'edit') throw new Error('no edit');
  await one.review.endEdit(plan.decision, { kind: 'applied', bytes: plan.bytes, saved: true });
}

/** Each ends with the journal being read again: what the state refuses must never get into it. */
describe('while an editor has not ended its step on a file', () => {
  test('no decision on that file is undone, neither by it nor on the disk', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.accept(['a.txt']);
    expect(await one.review.beginUndo('d1', Buffer.from('one\n'))).toMatchObject({ kind: 'edit' });
    const outdated = { path: 'a.txt', kind: 'outdated' };
    expect(await one.review.beginUndo('d1', Buffer.from('one\n'))).toEqual({
      kind: 'refused',
      outcome: outdated,
    });
    expect(await one.review.undo('d1')).toEqual(outdated);
    await one.reopen();
    expect(one.rows()).toEqual(['a.txt accepted']);
    expect(await one.undo()).toEqual(['a.txt done']);
  });

  test('no decision of an earlier landing on it is undone', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.build({ 'a.txt': 'two\n' });
    await one.green();
    const plan = await beginEdit(one, 'a.txt', 'one\n');
    expect(await one.review.undo('d1')).toEqual({ path: 'a.txt', kind: 'outdated' });
    await one.write({ 'a.txt': 'two\n' });
    await endEdit(one, plan);
    await one.reopen();
    expect(one.rows()).toEqual(['a.txt accepted']);
  });

  test('a refresh waits for it, and what the newer green brings to the file is offered', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n', 'b.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    await one.green();
    const plan = await beginEdit(one, 'a.txt', '1\n');
    await one.build({ 'a.txt': 'two\n', 'b.txt': 'two\n' });
    await one.green();
    await one.review.refresh('r-1');
    expect(await one.proposal('b.txt')).toBe('one\n');
    await one.write({ 'a.txt': 'one\n' });
    await endEdit(one, plan);
    expect(one.rows()).toEqual(['a.txt accepted', 'b.txt pending']);
    expect(await one.proposal('b.txt')).toBe('two\n');
    await one.accept(['b.txt']);
    await one.reopen();
    expect(one.rows()).toEqual(['a.txt pending']);
    expect(await one.proposal('a.txt')).toBe('two\n');
  });

  test('a file that holds already what a newer green brings is not decided under it', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n', 'b.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await one.green();
    await one.accept(['a.txt']);
    await one.review.beginUndo('d1', Buffer.from('one\n'));
    await one.write({ 'a.txt': 'two\n' });
    await one.build({ 'a.txt': 'two\n', 'b.txt': 'two\n' });
    await one.green();
    expect(one.landing.id).toBe('r-1');
    await one.review.endEdit('d1', { kind: 'refused' });
    expect(one.rows()).toEqual(['a.txt there', 'b.txt pending']);
    await one.reopen();
    expect(one.landing.id).toBe('r-2');
  });
});

describe('a file that the build deletes', () => {
  test('is deleted where its folder has to stay, and comes back by undo', async () => {
    await using one = await ReviewBench.start({ 'closed/sub/a.txt': '1\n' });
    await one.build({ 'closed/sub/a.txt': null });
    await one.green();
    await one.write({ 'closed/sub/a.txt': 'mine\n' });
    const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    await one.reopen({
      fileSystem: {
        ...nodeFileSystem,
        removeEmptyFolder: async () => {
          throw denied;
        },
      },
    });
    const path = 'closed/sub/a.txt';
    expect(await one.accept([path], { replace: [path] })).toEqual([`${path} done`]);
    await one.reopen();
    expect(await one.undo()).toEqual([`${path} done`]);
    expect(await one.read(path)).toBe('mine\n');
  });

  test('takes nothing with it that comes into its folder at that moment', async () => {
    await using one = await ReviewBench.start({ 'sub/a.txt': '1\n' });
    await one.build({ 'sub/a.txt': null });
    await one.green();
    await one.reopen({
      fileSystem: {
        ...nodeFileSystem,
        removeFile: async (path) => {
          await nodeFileSystem.removeFile(path);
          await writeFile(join(dirname(path), 'mine.txt'), 'mine');
        },
      },
    });
    expect(await one.accept(['sub/a.txt'])).toEqual(['sub/a.txt done']);
    expect(await readdir(one.path('sub'))).toEqual(['mine.txt']);
  });

  test('and that becomes a folder at that moment stays, with all that is in it', async () => {
    await using one = await ReviewBench.start({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': null });
    await one.green();
    await one.reopen({
      fileSystem: {
        ...nodeFileSystem,
        removeFile: async (path) => {
          await rm(path);
          await mkdir(path);
          await writeFile(join(path, 'mine.txt'), 'mine');
          await nodeFileSystem.removeFile(path);
        },
      },
    });
    expect(await one.accept(['a.txt'])).toEqual([expect.stringMatching(/^a\.txt failed (?:EISDIR|EPERM)$/u)]);
    expect(await readdir(one.path('a.txt'))).toEqual(['mine.txt']);
  });
});

test('an undo that an editor was to make, and the user has typed over since it was killed, was not made', async () => {
  await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n4\n' });
  await one.build({ 'a.txt': 'one\n2\n3\n4\n' });
  await one.green();
  await one.accept(['a.txt']);
  // What the undo would come to is the editor's: nothing keeps it.
  await one.review.beginUndo('d1', Buffer.from('one\n2\ntres\n4\n'));
  await one.write({ 'a.txt': 'one\n2\ntres\nquatro\n' });
  await one.reopen();
  expect(one.rows()).toEqual(['a.txt accepted']);
  expect(await one.undo()).toEqual(['a.txt done']);
  expect(await one.read('a.txt')).toBe('1\n2\ntres\nquatro\n');
});

test('what was replaced comes back by undo, also when the editor is killed before it is noted and the user goes on typing', async () => {
  await using one = await ReviewBench.start({ 'a.txt': '1\n2\n3\n4\n' });
  await one.build({ 'a.txt': 'one\n2\n3\n4\n' });
  await one.green();
  await one.write({ 'a.txt': 'precious\n2\n3\n4\n' });
  const killed = Promise.withResolvers<void>();
  await one.reopen({
    fileSystem: {
      ...nodeFileSystem,
      rename: async (from, to) => {
        await nodeFileSystem.rename(from, to);
        if (to !== one.path('a.txt')) return;
        killed.resolve();
        // As a kill has it: nothing after this ever happens.
        await Promise.withResolvers<never>().promise;
      },
    },
  });
  one.accept(['a.txt'], { replace: ['a.txt'] }).catch(() => undefined);
  await killed.promise;
  await one.write({ 'a.txt': 'one\n2\n3\nfour\n' });
  await one.reopen();
  expect(await one.undo()).toEqual(['a.txt done']);
  expect(await one.read('a.txt')).toBe('precious\n2\n3\nfour\n');
});
