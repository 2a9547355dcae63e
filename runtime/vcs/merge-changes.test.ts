import { describe, expect, it } from 'vitest';
import type { Change, ConflictKind } from '#protocol/change-sets.ts';
import { TestTrunk, writeOf } from './testing/trunk.ts';

const lines = '1\n2\n3\n';

/** What one side does, what the other does, and what comes of it: a conflict, or the texts that changed. */
interface Case {
  readonly name: string;
  readonly first: readonly Change[];
  readonly second: readonly Change[];
  readonly conflicts?: Readonly<Record<string, ConflictKind>>;
  readonly result?: Readonly<Record<string, string | undefined>>;
}

const remove = (path: string): Change => ({ kind: 'delete', path });

const cases: readonly Case[] = [
  {
    name: 'edits of one line',
    first: [writeOf('f', 'a\n2\n3\n')],
    second: [writeOf('f', 'b\n2\n3\n')],
    conflicts: { f: 'content' },
  },
  {
    name: 'edits of two lines apart',
    first: [writeOf('f', 'a\n2\n3\n')],
    second: [writeOf('f', '1\n2\nc\n')],
    result: { f: 'a\n2\nc\n' },
  },
  {
    name: 'an edit of what trunk deleted',
    first: [remove('f')],
    second: [writeOf('f', 'x')],
    conflicts: { f: 'delete-edit' },
  },
  {
    name: 'a deletion of what trunk edited',
    first: [writeOf('f', 'x')],
    second: [remove('f')],
    conflicts: { f: 'edit-delete' },
  },
  { name: 'two deletions', first: [remove('f')], second: [remove('f')], result: { f: undefined } },
  {
    name: 'two equal additions',
    first: [writeOf('n', 'x')],
    second: [writeOf('n', 'x')],
    result: { n: 'x' },
  },
  {
    name: 'two different additions',
    first: [writeOf('n', 'x')],
    second: [writeOf('n', 'y')],
    conflicts: { n: 'add-add' },
  },
  {
    name: 'equal additions with different modes',
    first: [writeOf('n', 'x')],
    second: [writeOf('n', 'x', 'executable')],
    conflicts: { n: 'mode' },
  },
  {
    name: 'a mode and an edit',
    first: [writeOf('f', lines, 'executable')],
    second: [writeOf('f', '1\n2\nc\n')],
    result: { f: '1\n2\nc\n' },
  },
  {
    name: 'edits of a binary file',
    first: [writeOf('bin', '\0b')],
    second: [writeOf('bin', '\0c')],
    conflicts: { bin: 'binary' },
  },
  {
    name: 'a text that one side made binary',
    first: [writeOf('f', '\0')],
    second: [writeOf('f', '1\n2\nc\n')],
    conflicts: { f: 'binary' },
  },
  {
    name: 'a link in place of the file, and an edit',
    first: [writeOf('f', 'bin', 'symlink')],
    second: [writeOf('f', 'x')],
    conflicts: { f: 'type' },
  },
  {
    name: 'an edit, and a link in place of the file',
    first: [writeOf('f', 'x')],
    second: [writeOf('f', 'bin', 'symlink')],
    conflicts: { f: 'type' },
  },
  {
    name: 'a link and a file added',
    first: [writeOf('n', 'f', 'symlink')],
    second: [writeOf('n', 'x')],
    conflicts: { n: 'type' },
  },
  {
    name: 'two targets of one link',
    first: [writeOf('link', 'bin', 'symlink')],
    second: [writeOf('link', 'dir', 'symlink')],
    conflicts: { link: 'content' },
  },
  {
    name: 'a folder in place of a new file',
    first: [writeOf('n/m', 'x')],
    second: [writeOf('n', 'y')],
    conflicts: { n: 'type' },
  },
  {
    name: 'a file in place of a new folder',
    first: [writeOf('n', 'x')],
    second: [writeOf('n/m', 'y')],
    conflicts: { 'n/m': 'type' },
  },
  {
    name: 'a folder in place of the file, and an edit of the file',
    first: [remove('f'), writeOf('f/g', 'x')],
    second: [writeOf('f', 'y')],
    conflicts: { f: 'type' },
  },
  {
    name: 'a file in place of a folder that others fill',
    first: [writeOf('dir/new', 'x')],
    second: [writeOf('dir', 'y'), remove('dir/a')],
    conflicts: { dir: 'type' },
  },
  {
    name: 'a file in place of a folder',
    first: [writeOf('n', 'x')],
    second: [writeOf('dir', 'y'), remove('dir/a')],
    result: { n: 'x', dir: 'y', 'dir/a': undefined },
  },
  {
    name: 'a clean file beside one that conflicts',
    first: [writeOf('f', 'x')],
    second: [writeOf('bin', '\0new'), writeOf('f', 'y'), writeOf('n', '')],
    conflicts: { f: 'content' },
  },
];

describe('two change sets on one base', () => {
  it.each(cases)('$name', async ({ first, second, conflicts, result }) => {
    const trunk = await TestTrunk.with({ f: lines, bin: '\0a', 'dir/a': '' });
    await trunk.submit('root', [writeOf('link', 'f', 'symlink')]);
    const base = trunk.repository.head().id;
    expect((await trunk.submit('root/a', first, { base })).kind).toBe('committed');
    const before = await trunk.texts();
    const outcome = await trunk.submit('root/b', second, { base });
    const found =
      outcome.kind === 'conflicted' ? outcome.conflicts.map(({ path, kind }) => [path, kind]) : [];
    expect(Object.fromEntries(found)).toEqual(conflicts ?? {});
    const expected = Object.entries({ ...before, ...result }).filter(([, text]) => text !== undefined);
    expect(await trunk.texts()).toEqual(Object.fromEntries(expected));
  });

  it('keep the mode of the one and the content of the other', async () => {
    const trunk = await TestTrunk.with({ f: lines });
    const base = trunk.repository.head().id;
    await trunk.submit('root/a', [writeOf('f', lines, 'executable')], { base });
    expect((await trunk.submit('root/b', { f: 'x' }, { base })).kind).toBe('merged');
    expect(trunk.repository.head().entry('f')?.mode).toBe('executable');
  });
});
