import { describe, expect, it } from 'vitest';
import type { Change, ChangeSet, FileMode } from '#protocol/change-sets.ts';
import type { ConflictAnswer } from './resolution.ts';
import { bytes, TestTrunk, writeOf, type Texts } from './testing/trunk.ts';

const lines = '1\n2\n3\n';

/** Trunk where a set of root/a is parked, because `first` came before it. */
async function parkedAfter(
  start: Texts,
  first: readonly Change[],
  second: readonly Change[],
): Promise<{ trunk: TestTrunk; parked: string }> {
  const trunk = await TestTrunk.with(start);
  const base = trunk.repository.head().id;
  expect((await trunk.submit('root/b', first, { base })).kind).toBe('committed');
  const outcome = await trunk.submit('root/a', second, { base });
  return { trunk, parked: outcome.kind === 'conflicted' ? outcome.parked : '' };
}

function answersOf(texts: Texts): ReadonlyMap<string, ConflictAnswer> {
  return new Map(
    Object.entries(texts).map(([path, text]): [string, ConflictAnswer] => [
      path,
      text === undefined ? { kind: 'delete' } : { kind: 'write', content: bytes(text) },
    ]),
  );
}

async function settle(
  { trunk, parked }: { trunk: TestTrunk; parked: string },
  texts: Texts,
): Promise<ChangeSet> {
  const set = await trunk.repository.resolution(parked, answersOf(texts));
  const intent = { kind: 'resolution', parked } as const;
  const outcome = await trunk.submit('root/a', set.changes, { base: set.base, intent });
  expect(outcome.kind).toBe('committed');
  expect(trunk.repository.parked()).toEqual([]);
  return set;
}

describe('the resolution of a parked set', () => {
  it('has the answers, and the rest merged as trunk merges it, content and mode', async () => {
    const parked = await parkedAfter(
      { conflict: lines, edited: lines, mode: lines, same: lines },
      [
        writeOf('conflict', 'one\n2\n3\n'),
        writeOf('edited', 'one\n2\n3\n'),
        writeOf('mode', lines, 'executable'),
        writeOf('same', 'x'),
      ],
      [
        writeOf('conflict', 'uno\n2\n3\n'),
        writeOf('edited', '1\n2\nthree\n'),
        writeOf('mode', '1\n2\nthree\n'),
        writeOf('new', 'new'),
        writeOf('same', 'x'),
      ],
    );
    const trunk = await parked.trunk.reopened();
    const set = await settle({ ...parked, trunk }, { conflict: 'both\n2\n3\n' });
    expect(set.changes.map(({ path }) => path)).toEqual(['conflict', 'edited', 'mode', 'new']);
    const head = trunk.repository.head();
    expect(await trunk.texts()).toMatchObject({
      conflict: 'both\n2\n3\n',
      edited: 'one\n2\nthree\n',
      mode: '1\n2\nthree\n',
    });
    expect(head.entry('mode')?.mode).toBe('executable');
  });

  it.each<[who: string, first: FileMode, second: FileMode]>([
    ['trunk', 'executable', 'file'],
    ['the set', 'file', 'executable'],
  ])('keeps the mode that %s changed', async (_, first, second) => {
    for (const start of [{ x: lines }, {}]) {
      const parked = await parkedAfter(start, [writeOf('x', 'one', first)], [writeOf('x', 'uno', second)]);
      await settle(parked, { x: 'both' });
      expect(parked.trunk.repository.head().entry('x')?.mode).toBe('executable');
    }
  });

  it('may delete, and a file moved from a place that stays was copied', async () => {
    const parked = await parkedAfter(
      { x: lines, y: lines },
      [writeOf('x', 'one'), writeOf('y', 'one')],
      [
        { kind: 'write', path: 'moved', mode: 'file', content: bytes(lines), movedFrom: 'x' },
        { kind: 'delete', path: 'x' },
        writeOf('y', 'uno'),
      ],
    );
    const set = await settle(parked, { x: 'one more', y: undefined });
    expect(set.changes.map((change) => [change.kind, change.path, 'movedFrom' in change])).toEqual([
      ['write', 'moved', false],
      ['write', 'x', false],
      ['delete', 'y', false],
    ]);
    expect(await parked.trunk.texts()).toEqual({ moved: lines, x: 'one more' });
  });

  it('answers each conflict and nothing else, of a set that is still parked', async () => {
    const { trunk, parked } = await parkedAfter(
      { x: lines, y: lines },
      [writeOf('x', 'one')],
      [writeOf('x', 'uno'), writeOf('y', 'y')],
    );
    for (const answers of [{}, { y: 'y' }, { x: 'x', y: 'y' }]) {
      await expect(trunk.repository.resolution(parked, answersOf(answers))).rejects.toMatchObject({
        code: 'bad-path',
      });
    }
    await trunk.repository.drop(parked, 'root', 'not wanted');
    await expect(trunk.repository.resolution(parked, answersOf({ x: 'x' }))).rejects.toMatchObject({
      code: 'not-parked',
    });
  });
});
