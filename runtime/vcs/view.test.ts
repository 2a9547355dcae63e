import { describe, expect, it } from 'vitest';
import { VcsError } from './errors.ts';
import type { View } from './repository.ts';
import { bytes, TestTrunk, textsOf, type Texts } from './testing/trunk.ts';

const lines = '1\n2\n3\n4\n5\n';

async function viewOn(files: Texts): Promise<{ trunk: TestTrunk; view: View }> {
  const trunk = await TestTrunk.with(files);
  return { trunk, view: trunk.repository.openView(trunk.repository.head().id) };
}

/** The code of the error that a call throws or rejects with. */
async function codeOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return VcsError.is(error) ? error.code : error;
  }
}

describe('a view', () => {
  it('shows its own edits over its base', async () => {
    const { trunk, view } = await viewOn({ a: '1', 'b/c': '2', 'b/d': '3' });
    view.write('a', bytes('A'));
    view.write('b/a', bytes('new'));
    view.delete('b/d');
    view.write('z', bytes('last'));
    expect(await textsOf(view)).toEqual({ a: 'A', 'b/a': 'new', 'b/c': '2', z: 'last' });
    expect([...view.walk()].map(([path]) => path)).toEqual(['a', 'b/a', 'b/c', 'z']);
    expect([...view.walk('b')].map(([path]) => path)).toEqual(['b/a', 'b/c']);
    expect([...view.walk('z')].map(([path]) => path)).toEqual(['z']);
    expect(view.entry('b/d')).toBeUndefined();
    await expect(view.read('b/d')).rejects.toMatchObject({ code: 'no-such-file' });
    expect(await trunk.texts()).toEqual({ a: '1', 'b/c': '2', 'b/d': '3' });
  });

  it('walks in the order of paths, as snapshots do', async () => {
    const paths = ['a', 'a-b', 'a.b', 'a/b', 'a0', 'b/c/d', 'b/c.d'];
    const { trunk, view } = await viewOn({});
    for (const path of paths.filter((one) => one !== 'a')) view.write(path, bytes(path));
    const walked = [...view.walk()].map(([path]) => path);
    expect(walked).toEqual(walked.toSorted());
    await trunk.repository.submit({ ...trunk.request('root/a', []), changeSet: view.changeSet() });
    expect([...trunk.repository.head().walk()].map(([path]) => path)).toEqual(walked);
  });

  it('lists edits sorted, and forgets those that equal the base', async () => {
    const { view } = await viewOn({ a: '1', b: '2' });
    view.write('c', bytes('3'));
    view.write('b', bytes('x'));
    view.delete('a');
    expect(view.edits().map(({ path, kind }) => [path, kind])).toEqual([
      ['a', 'delete'],
      ['b', 'write'],
      ['c', 'write'],
    ]);
    view.write('b', bytes('2'));
    view.write('a', bytes('1'));
    view.delete('c');
    expect(view.edits()).toEqual([]);
    expect(view.changeSet()).toEqual({ base: view.base.id, changes: [] });
  });

  it('moves files with their content and mode, and remembers from where', async () => {
    const { view } = await viewOn({ a: 'text' });
    view.write('a', bytes('text'), 'executable');
    await view.move('a', 'dir/b');
    await view.move('dir/b', 'dir/c');
    view.write('dir/c', bytes('edited'));
    expect(view.edits()).toEqual([
      { kind: 'delete', path: 'a' },
      { kind: 'write', path: 'dir/c', mode: 'executable', content: bytes('edited'), movedFrom: 'a' },
    ]);
    view.write('a', bytes('a new one'));
    expect(view.edits().map((edit) => 'movedFrom' in edit)).toEqual([false, false]);
    await view.move('dir/c', 'x');
    view.delete('a');
    await view.move('x', 'a');
    view.write('a', bytes('text'), 'file');
    expect(view.edits()).toEqual([]);
  });

  it('refuses what a tree cannot hold', async () => {
    const { view } = await viewOn({ file: '', 'dir/x': '', only: '' });
    const refused: [string, () => unknown][] = [
      ['bad-path', () => view.write('../x', bytes(''))],
      ['protected-path', () => view.write('a/.git/x', bytes(''))],
      ['path-taken', () => view.write('dir', bytes(''))],
      ['path-taken', () => view.write('file/x', bytes(''))],
      ['no-such-file', () => view.delete('none')],
      ['no-such-file', async () => view.move('none', 'x')],
      ['path-taken', async () => view.move('file', 'dir/x')],
      ['path-taken', async () => view.move('file', 'dir')],
      ['bad-path', async () => view.move('file', '/x')],
    ];
    for (const [code, call] of refused) {
      expect(await codeOf(call)).toBe(code);
    }
    expect(view.edits()).toEqual([]);
    await view.move('only', 'only/below');
    view.delete('dir/x');
    view.write('dir', bytes('a file now'));
    expect([...view.walk()].map(([path]) => path)).toEqual(['dir', 'file', 'only/below']);
  });

  it('is rebuilt from its base and its edits', async () => {
    const { trunk, view } = await viewOn({ a: '1', b: '2' });
    view.write('a', bytes('A'));
    await view.move('b', 'c');
    const again = trunk.repository.openView(view.base.id, view.edits());
    expect(again.edits()).toEqual(view.edits());
    expect(await textsOf(again)).toEqual(await textsOf(view));
  });

  it('advances to a commit, and its edits are done', async () => {
    const { trunk, view } = await viewOn({ x: lines });
    view.write('x', bytes('1\n2\n3\n4\nfive\n'));
    await trunk.submit('root/b', { x: 'one\n2\n3\n4\n5\n' });
    const outcome = await trunk.repository.submit({
      ...trunk.request('root/a', []),
      changeSet: view.changeSet(),
    });
    expect(outcome.kind).toBe('merged');
    view.advance(outcome.kind === 'merged' ? outcome.commit : '');
    expect(view.edits()).toEqual([]);
    expect(await textsOf(view)).toEqual({ x: 'one\n2\n3\n4\nfive\n' });
  });
});

describe('sync', () => {
  it('brings the base to trunk, merges own edits onto it, and names what others changed', async () => {
    const { trunk, view } = await viewOn({ x: lines, y: 'y', z: 'z' });
    view.write('x', bytes('1\n2\n3\n4\nfive\n'));
    view.write('own', bytes('own'));
    view.delete('z');
    await trunk.submit('root/b', { x: 'one\n2\n3\n4\n5\n', y: 'Y' });
    const head = trunk.repository.head();
    expect(await view.sync()).toEqual({
      moved: true,
      base: head.id,
      changed: ['x', 'y'],
      merged: ['x'],
      conflicts: [],
    });
    expect(await textsOf(view)).toEqual({ own: 'own', x: 'one\n2\n3\n4\nfive\n', y: 'Y' });
    expect(view.edits().map(({ path }) => path)).toEqual(['own', 'x', 'z']);
    expect((await view.sync()).changed).toEqual([]);
  });

  it('drops edits that trunk has by now', async () => {
    const { trunk, view } = await viewOn({ x: 'x' });
    view.write('x', bytes('same'));
    await trunk.submit('root/b', { x: 'same' });
    expect((await view.sync()).moved).toBe(true);
    expect(view.edits()).toEqual([]);
  });

  it('moves nothing when an own edit conflicts', async () => {
    const { trunk, view } = await viewOn({ x: lines, y: 'y' });
    view.write('x', bytes('uno\n2\n3\n4\n5\n'));
    view.write('y', bytes('Y'));
    const before = { base: view.base.id, edits: view.edits() };
    await trunk.submit('root/b', { x: 'one\n2\n3\n4\n5\n', n: '' });
    expect(await view.sync()).toEqual({
      moved: false,
      base: before.base,
      changed: ['n', 'x'],
      merged: [],
      conflicts: ['x'],
    });
    expect({ base: view.base.id, edits: view.edits() }).toEqual(before);
  });
});
