import { describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import type { Change } from '#protocol/change-sets.ts';
import type { LogRecord } from './log-record.ts';
import { MemoryLogStore } from './memory-log-store.ts';
import { createRepository, openRepository } from './open-repository.ts';
import {
  bytes,
  provenance,
  sourceOf,
  TestTrunk,
  textsOf,
  writeOf,
  type SubmitOptions,
} from './testing/trunk.ts';

const lines = '1\n2\n3\n4\n5\n';

describe('submit', () => {
  it('commits what nobody else touched, whatever the base', async () => {
    const trunk = await TestTrunk.with({ a: 'a', b: 'b' });
    const base = trunk.repository.head().id;
    expect(await trunk.submit('root/a', { a: 'A' }, { base })).toMatchObject({
      kind: 'committed',
      paths: ['a'],
    });
    expect(await trunk.submit('root/b', { b: 'B', c: 'c' }, { base })).toMatchObject({
      kind: 'committed',
      paths: ['b', 'c'],
    });
    expect(await trunk.texts()).toEqual({ a: 'A', b: 'B', c: 'c' });
  });

  it('merges edits of one file, and says so', async () => {
    const trunk = await TestTrunk.with({ x: lines, y: '' });
    const base = trunk.repository.head().id;
    await trunk.submit('root/a', { x: 'one\n2\n3\n4\n5\n' }, { base });
    expect(await trunk.submit('root/b', { x: '1\n2\n3\n4\nfive\n', y: 'y' }, { base })).toMatchObject({
      kind: 'merged',
      commit: trunk.repository.head().id,
      paths: ['x', 'y'],
      mergedPaths: ['x'],
    });
    expect(await trunk.texts()).toEqual({ x: 'one\n2\n3\n4\nfive\n', y: 'y' });
  });

  it('keeps what cannot merge whole, off trunk, with both sides named', async () => {
    const trunk = await TestTrunk.with({ x: lines, y: 'y' });
    const base = trunk.repository.head();
    await trunk.submit('root/b', { x: 'one\n2\n3\n4\n5\n' }, { base: base.id });
    await trunk.submit('root/a', { x: '1\n2\n3\n4\nfive\n' }, { base: base.id });
    const before = trunk.repository.head();
    const outcome = await trunk.submit('root/c', { x: 'uno\n2\n3\n4\n5\n', y: 'Y' }, { base: base.id });
    expect(outcome).toMatchObject({
      kind: 'conflicted',
      conflicts: [
        {
          path: 'x',
          kind: 'content',
          base: base.entry('x'),
          trunk: before.entry('x'),
          trunkTasks: ['root/a', 'root/b'],
          task: 'root/c',
        },
      ],
    });
    expect(trunk.repository.head()).toBe(before);
    const [parked] = trunk.repository.parked();
    expect(parked).toMatchObject({ id: 'root/c#1.3.0', round: 1, trunk: before.id });
    expect(parked?.request.changeSet.changes).toEqual([writeOf('x', 'uno\n2\n3\n4\n5\n'), writeOf('y', 'Y')]);
    const ours = parked?.conflicts[0]?.ours;
    expect(ours && Buffer.from(await trunk.repository.blob(ours)).toString()).toBe('uno\n2\n3\n4\n5\n');
  });

  it('counts an edit that trunk has already as done', async () => {
    const trunk = await TestTrunk.with({ x: 'x' });
    const base = trunk.repository.head().id;
    await trunk.submit('root/a', { x: 'X', new: 'n' }, { base });
    const outcome = await trunk.submit('root/b', { x: 'X', new: 'n' }, { base });
    expect(outcome).toMatchObject({ kind: 'committed', paths: [] });
  });

  it('gives a repeated submit id its first outcome, at once, later, and after reopening', async () => {
    const trunk = await TestTrunk.with({ x: lines });
    const base = trunk.repository.head().id;
    const requests = [
      trunk.request('root/a', { x: 'one\n2\n3\n4\n5\n' }, { base }),
      trunk.request('root/b', { x: '1\n2\n3\n4\nfive\n' }, { base }),
      trunk.request('root/c', { x: 'uno\n2\n3\n4\n5\n' }, { base }),
      trunk.request('root/d', { x: 'uno\n2\n3\n4\n5\n' }, { base, scope: ['y'] }),
    ];
    const outcomes = await Promise.all(requests.map(async (request) => trunk.repository.submit(request)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'merged', 'conflicted', 'rejected']);
    const twice = await Promise.all(
      requests.flatMap((request) => [trunk.repository.submit(request), trunk.repository.submit(request)]),
    );
    expect(twice).toEqual(outcomes.flatMap((outcome) => [outcome, outcome]));
    const count = trunk.repository.records(0).length;
    const again = await trunk.reopened();
    expect(await Promise.all(requests.map(async (request) => again.repository.submit(request)))).toEqual(
      outcomes,
    );
    expect(again.repository.records(0)).toHaveLength(count);
  });

  it('gives two calls with one id in flight one outcome', async () => {
    const trunk = await TestTrunk.with({});
    const request = trunk.request('root/a', { x: 'x' });
    const [first, second] = await Promise.all([
      trunk.repository.submit(request),
      trunk.repository.submit(request),
    ]);
    expect(second).toEqual(first);
    expect(trunk.repository.records(0)).toHaveLength(2);
  });

  it('keeps bytes, modes and links as they came', async () => {
    const trunk = await TestTrunk.with({});
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await trunk.submit('root/a', [
      { kind: 'write', path: 'bin', mode: 'executable', content: all },
      { kind: 'write', path: 'empty', mode: 'file', content: new Uint8Array(0) },
      writeOf('link', '../elsewhere', 'symlink'),
    ]);
    const again = await trunk.reopened();
    const head = again.repository.head();
    expect(await head.read('bin')).toEqual(all);
    expect(head.entry('bin')?.mode).toBe('executable');
    expect(head.entry('link')?.mode).toBe('symlink');
    expect(await head.read('empty')).toHaveLength(0);
  });

  it('is not changed by what the caller does to its buffers later', async () => {
    const trunk = await TestTrunk.with({});
    const content = bytes('mine');
    const done = trunk.submit('root/a', [{ kind: 'write', path: 'x', mode: 'file', content }]);
    content.fill(0);
    await done;
    expect(await trunk.texts()).toEqual({ x: 'mine' });
  });
});

function breakage(reason: string): SubmitOptions {
  return { intent: { kind: 'breakage', reason }, scope: [] };
}

describe('refusals', () => {
  it('come in the order of the checks', async () => {
    const trunk = await TestTrunk.with({ x: lines });
    await trunk.repository.fence('root/a', 2, 'taken over');
    const all = { epoch: 1 };
    const bad = [writeOf('../x', '<<<<<<< \n>>>>>>> \n'), writeOf('z', '')];
    const codeOf = async (...submit: Parameters<TestTrunk['submit']>): Promise<string> => {
      const outcome = await trunk.submit(...submit);
      return outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind;
    };
    expect(await codeOf('root/a', bad, { id: all, base: 'none', scope: [] })).toBe('stale-epoch');
    expect(await codeOf('root/b', bad, { base: 'none', scope: [] })).toBe('unknown-base');
    expect(await codeOf('root/b', bad, { scope: [] })).toBe('bad-path');
    expect(await codeOf('root/b', { 'a/.GIT/config': 'x' }, { scope: [] })).toBe('protected-path');
    expect(await codeOf('root/b', { x: '<<<<<<< \n>>>>>>> \n' }, { scope: ['y'] })).toBe('out-of-scope');
    expect(await codeOf('root/b', { x: '<<<<<<< \n>>>>>>> \n' })).toBe('conflict-markers');
    expect(await codeOf('root/b', {})).toBe('empty');
    expect(await codeOf('root/b', { x: lines })).toBe('empty');
    expect(await codeOf('root/b', { gone: undefined })).toBe('empty');
    expect(await codeOf('root/b', { x: 'ok' }, { id: { epoch: 1 } })).toBe('committed');
    expect(await codeOf('root/a', { x: 'ok2' }, { id: { epoch: 2 } })).toBe('committed');
    expect(trunk.repository.parked()).toEqual([]);
  });

  it('name the paths that are wrong', async () => {
    const trunk = await TestTrunk.with({ 'dir/x': '' });
    const wrong: [string, Change[]][] = [
      ['bad-path', [writeOf('/etc/passwd', '')]],
      ['bad-path', [writeOf('a//b', '')]],
      ['bad-path', [writeOf('a/./b', '')]],
      ['bad-path', [writeOf('a/../b', '')]],
      ['bad-path', [writeOf('a\\b', '')]],
      ['bad-path', [writeOf('a\0b', '')]],
      ['bad-path', [writeOf('', '')]],
      ['bad-path', [writeOf('C:/x', '')]],
      ['bad-path', [writeOf('dir', '')]],
      ['bad-path', [writeOf('dir/x/y', '')]],
      ['bad-path', [writeOf('n', ''), writeOf('n/m', '')]],
      ['bad-path', [writeOf('b', ''), writeOf('a', '')]],
      ['bad-path', [writeOf('a', ''), writeOf('a', 'x')]],
      ['protected-path', [writeOf('.git', '')]],
      ['protected-path', [writeOf('sub/.Git/hooks/x', '')]],
    ];
    for (const [code, changes] of wrong) {
      expect(await trunk.submit('root/a', changes)).toMatchObject({ kind: 'rejected', rejection: { code } });
    }
    const outside = await trunk.submit('root/a', { in: '', 'out/1': '', 'out/2': '' }, { scope: ['in'] });
    expect(outside).toMatchObject({ rejection: { code: 'out-of-scope', paths: ['out/1', 'out/2'] } });
  });

  it('spare the Field Guide, which is open to every task', async () => {
    const trunk = await TestTrunk.with({});
    const outcome = await trunk.submit(
      'root/a',
      { 'field-guide/index.md': '# Guide\n' },
      { scope: ['src/**'] },
    );
    expect(outcome.kind).toBe('committed');
  });

  it('do not bind the harness to a scope', async () => {
    const trunk = await TestTrunk.with({});
    const intent = { kind: 'harness' } as const;
    expect((await trunk.submit('root', { d: '' }, { scope: [], intent })).kind).toBe('committed');
  });

  it('license a breakage that is small and says why', async () => {
    const trunk = await TestTrunk.with({ a: lines });
    const long = 'line\n'.repeat(196);
    expect(await trunk.submit('root/a', { a: '' }, breakage(' '))).toMatchObject({ kind: 'rejected' });
    expect(await trunk.submit('root/a', { a: '', b: '', c: '', d: '' }, breakage('why'))).toMatchObject({
      rejection: { code: 'too-large' },
    });
    expect(await trunk.submit('root/a', { a: long }, breakage('why'))).toMatchObject({
      rejection: { code: 'too-large' },
    });
    expect((await trunk.submit('root/a', { a: long.slice(5) }, breakage('why'))).kind).toBe('committed');
    expect(trunk.repository.records(0).at(-1)).toMatchObject({ kind: 'commit', breakage: 'why' });
  });

  it('limit the size of a file and of a set', async () => {
    const trunk = await TestTrunk.with({});
    const big = 'x'.repeat(4 * 1024 * 1024);
    expect((await trunk.submit('root/a', { big })).kind).toBe('committed');
    expect(await trunk.submit('root/a', { big: `${big}x` })).toMatchObject({
      rejection: { code: 'too-large' },
    });
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`f${index}`, '']));
    expect(await trunk.submit('root/a', many)).toMatchObject({ rejection: { code: 'too-large' } });
  });
});

describe('records', () => {
  it('tell all that happened, in order, to those who ask and to those who listen', async () => {
    const trunk = await TestTrunk.with({ x: lines });
    const { repository } = trunk;
    const heard: LogRecord[] = [];
    const stop = repository.subscribe((record) => heard.push(record));
    const base = repository.head().id;
    await trunk.submit('root/a', { x: 'a' }, { base });
    await trunk.submit('root/b', { x: 'b' }, { base });
    await trunk.submit('root/c', { x: 'c' }, { base, scope: [] });
    await repository.fence('root/b', 2, 'cancelled');
    await repository.drop('root/b#1.2.0', 'root', 'not needed');
    stop();
    await trunk.submit('root/d', { y: '' });
    const kinds = ['commit', 'commit', 'parked', 'rejected', 'fence', 'dropped', 'commit'];
    const records = repository.records(0);
    expect(records.map(({ kind }) => kind)).toEqual(kinds);
    expect(records.map(({ position }) => position)).toEqual(kinds.map((_, index) => index + 1));
    expect(heard).toEqual(records.slice(1, 6));
    expect(repository.records(5)).toEqual(records.slice(5));
    expect((await trunk.reopened()).repository.records(0)).toEqual(records);
  });

  it('reach a listener once they are durable, when head shows them', async () => {
    const trunk = await TestTrunk.with({});
    let seen = '';
    trunk.repository.subscribe((record) => {
      seen = record.kind === 'commit' ? record.commit : '';
      expect(trunk.repository.head().id).toBe(seen);
    });
    const outcome = await trunk.submit('root/a', { x: '' });
    expect(outcome).toMatchObject({ commit: seen });
  });
});

describe('snapshots', () => {
  it('stay what they were, and are found again by id', async () => {
    const trunk = await TestTrunk.with({ 'a/1': '1' });
    const ids = [trunk.repository.head().id];
    for (let index = 2; index <= 400; index += 1) {
      await trunk.submit('root', { [`a/${index % 7}`]: String(index) });
      ids.push(trunk.repository.head().id);
    }
    const again = await trunk.reopened();
    for (const { repository } of [trunk, again]) {
      expect(await textsOf(repository.snapshot(ids[0] ?? ''))).toEqual({ 'a/1': '1' });
      const old = repository.snapshot(ids[200] ?? '');
      expect(old.sequence).toBe(200);
      expect(Buffer.from(await old.read('a/5')).toString()).toBe('201');
      expect(() => repository.snapshot('0'.repeat(64))).toThrow(
        expect.objectContaining({ code: 'unknown-snapshot' }),
      );
    }
  });

  it('have a hash of what they hold, not of how it came', async () => {
    const one = await TestTrunk.with({ a: '1', 'b/c': '2' });
    const two = await TestTrunk.with({ z: 'z' });
    await two.submit('root', { 'b/c': '2', a: 'x' });
    await two.submit('root', { a: '1', z: undefined });
    expect(two.repository.head().treeHash()).toBe(one.repository.head().treeHash());
    expect(two.repository.head().id).not.toBe(one.repository.head().id);
    await two.submit('root', [writeOf('a', '1', 'executable')]);
    expect(two.repository.head().treeHash()).not.toBe(one.repository.head().treeHash());
  });

  it('name what changed between them', async () => {
    const trunk = await TestTrunk.with({ a: '1', 'b/c': '2', 'b/d': '3' });
    const before = trunk.repository.head();
    await trunk.submit('root', { a: undefined, 'b/c': 'x', 'e/f/g': '' });
    expect(trunk.repository.head().changedSince(before)).toEqual(['a', 'b/c', 'e/f/g']);
    expect(before.changedSince(trunk.repository.head())).toEqual(['a', 'b/c', 'e/f/g']);
    expect(before.changedSince(before)).toEqual([]);
  });

  it('fail to read what they do not hold', async () => {
    const { repository } = await TestTrunk.with({ 'a/b': '' });
    await expect(repository.head().read('a')).rejects.toMatchObject({ code: 'no-such-file' });
    await expect(repository.blob({ hash: '0'.repeat(64), mode: 'file', size: 1 })).rejects.toMatchObject({
      code: 'no-such-blob',
    });
  });
});

describe('opening', () => {
  it('refuses a log without a trunk', async () => {
    const options = { logStore: new MemoryLogStore(), clock: new ManualClock() };
    await expect(openRepository(options)).rejects.toMatchObject({ code: 'no-trunk' });
  });

  it('makes trunk once: a second creation finds the first', async () => {
    const records: Uint8Array[] = [];
    const create = async (files: Record<string, string>): ReturnType<typeof createRepository> =>
      createRepository(
        { logStore: new MemoryLogStore(records), clock: new ManualClock() },
        sourceOf(files),
        provenance,
      );
    const first = await create({ a: 'a' });
    const second = await create({ b: 'b', c: 'c' });
    expect(second.imported).toEqual(first.imported);
    expect(second.imported.files).toBe(1);
    expect(await textsOf(second.repository.head())).toEqual({ a: 'a' });
  });

  it('makes trunk anew when a crash cut its import short', async () => {
    const records: Uint8Array[] = [];
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`f${index}`, String(index).repeat(2_000_000)]),
    );
    await TestTrunk.with(files, records);
    expect(records.length).toBeGreaterThan(2);
    for (let kept = 0; kept < records.length; kept += 1) {
      const trunk = await TestTrunk.with({ ...files, last: 'l' }, records.slice(0, kept));
      expect(Object.keys(await trunk.texts())).toEqual([...Object.keys(files), 'last']);
      expect(trunk.repository.head().sequence).toBe(0);
    }
  }, 30_000);

  it('refuses a log whose commits do not chain', async () => {
    const records: Uint8Array[] = [];
    const trunk = await TestTrunk.with({}, records);
    for (const path of ['a', 'b', 'c']) await trunk.submit('root', { [path]: path });
    const without = records.filter((_, index) => index !== 2);
    await expect(
      openRepository({ logStore: new MemoryLogStore(without), clock: new ManualClock() }),
    ).rejects.toMatchObject({ code: 'damaged' });
  });

  it('ends with closing: nothing is taken any more', async () => {
    const { repository } = await TestTrunk.with({});
    await repository.close();
    const trunk = await TestTrunk.with({});
    const request = trunk.request('root', { a: '' });
    await expect(repository.submit(request)).rejects.toMatchObject({ code: 'closed' });
    await expect(repository.fence('root', 2, '')).rejects.toMatchObject({ code: 'closed' });
  });
});
