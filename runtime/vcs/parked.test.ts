import { describe, expect, it } from 'vitest';
import type { SubmitOutcome } from '#protocol/change-sets.ts';
import { TestTrunk, type SubmitOptions } from './testing/trunk.ts';

const lines = '1\n2\n3\n4\n5\n';

/** Trunk with `x` where the set of root/a is parked because root/b came first. */
async function withParked(): Promise<{ trunk: TestTrunk; base: string; parked: string }> {
  const trunk = await TestTrunk.with({ x: lines, y: 'y\n' });
  const base = trunk.repository.head().id;
  await trunk.submit('root/b', { x: 'one\n2\n3\n4\n5\n' }, { base });
  const outcome = await trunk.submit('root/a', { x: 'uno\n2\n3\n4\n5\n', y: 'Y\n' }, { base });
  return { trunk, base, parked: parkedOf(outcome) };
}

function parkedOf(outcome: SubmitOutcome): string {
  return outcome.kind === 'conflicted' ? outcome.parked : '';
}

function settles(parked: string): SubmitOptions {
  return { intent: { kind: 'resolution', parked } };
}

describe('a parked set', () => {
  it('survives whole, with its contents, request and round', async () => {
    const { trunk } = await withParked();
    const again = await trunk.reopened();
    expect(again.repository.parked()).toEqual(trunk.repository.parked());
    expect(again.repository.parked()).toHaveLength(1);
  });

  it('is closed by a resolution that is accepted', async () => {
    const { trunk, parked } = await withParked();
    const outcome = await trunk.submit('root/a', { x: 'both\n2\n3\n4\n5\n', y: 'Y\n' }, settles(parked));
    expect(outcome.kind).toBe('committed');
    expect(trunk.repository.parked()).toEqual([]);
    expect(trunk.repository.records(0).at(-1)).toMatchObject({ kind: 'commit', resolves: parked });
    expect((await trunk.reopened()).repository.parked()).toEqual([]);
  });

  it('may be settled by keeping what trunk has', async () => {
    const { trunk, parked } = await withParked();
    const outcome = await trunk.submit('root/a', {}, settles(parked));
    expect(outcome).toMatchObject({ kind: 'committed', paths: [] });
    expect(trunk.repository.parked()).toEqual([]);
  });

  it('may be settled on its own paths whatever the scope, and on no others', async () => {
    const { trunk, parked } = await withParked();
    const options = { ...settles(parked), scope: [] };
    expect(await trunk.submit('root/a', { z: '' }, options)).toMatchObject({
      rejection: { code: 'out-of-scope' },
    });
    expect((await trunk.submit('root/a', { y: 'Y\n' }, options)).kind).toBe('committed');
  });

  it('cannot be settled twice', async () => {
    const { trunk, parked } = await withParked();
    await trunk.submit('root/a', { x: 'both\n' }, settles(parked));
    expect(await trunk.submit('root/a', { x: 'again\n' }, settles(parked))).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'not-parked' },
    });
  });

  it('is parked again with the next round when its resolution conflicts', async () => {
    const { trunk, parked } = await withParked();
    const base = trunk.repository.head().id;
    await trunk.submit('root/c', { x: 'een\n2\n3\n4\n5\n' }, { base });
    const outcome = await trunk.submit('root/a', { x: 'both\n2\n3\n4\n5\n' }, { ...settles(parked), base });
    expect(outcome).toMatchObject({
      kind: 'conflicted',
      conflicts: [{ task: 'root/a', trunkTasks: ['root/c'] }],
    });
    expect(trunk.repository.parked()).toMatchObject([{ id: parkedOf(outcome), round: 2 }]);
    const third = await trunk.submit('root/a', { x: 'x\n' }, { ...settles(parkedOf(outcome)), base });
    expect(trunk.repository.parked()).toMatchObject([{ id: parkedOf(third), round: 3 }]);
    expect((await trunk.reopened()).repository.parked()).toEqual(trunk.repository.parked());
  });

  it('stays with its task when a resolver settles it under another name', async () => {
    const { trunk, parked } = await withParked();
    const base = trunk.repository.head().id;
    await trunk.submit('root/c', { x: 'een\n' }, { base });
    const again = await trunk.submit('root/resolver', { x: 'both\n' }, { ...settles(parked), base });
    expect(again).toMatchObject({ kind: 'conflicted', conflicts: [{ task: 'root/a' }] });
    const done = await trunk.submit('root/a', { x: 'both\n' });
    expect(done.kind).toBe('committed');
    expect(trunk.repository.parked()).toEqual([]);
  });

  it('is replaced by a later submit of its task that conflicts too, in the same round', async () => {
    const { trunk, base } = await withParked();
    const outcome = await trunk.submit('root/a', { x: 'UNO\n2\n3\n4\n5\n', y: 'Y\n', z: '' }, { base });
    expect(trunk.repository.parked()).toMatchObject([{ id: parkedOf(outcome), round: 1 }]);
    expect(trunk.repository.parked()[0]?.request.changeSet.changes).toHaveLength(3);
  });

  it('is closed by a later submit of its task that is accepted, since that holds all edits', async () => {
    const { trunk, base, parked } = await withParked();
    const outcome = await trunk.submit('root/a', { x: '1\n2\n3\n4\nfive\n', y: 'Y\n' }, { base });
    expect(outcome.kind).toBe('merged');
    expect(trunk.repository.parked()).toEqual([]);
    expect(trunk.repository.records(0).at(-1)).toMatchObject({ resolves: parked });
  });

  it('is left alone by a later submit that is refused', async () => {
    const { trunk, base, parked } = await withParked();
    await trunk.submit('root/a', { x: '1\n' }, { base, scope: [] });
    expect(trunk.repository.parked()).toMatchObject([{ id: parked }]);
  });

  it('is left alone by a new agent of the task, which starts from trunk, and by the harness', async () => {
    const { trunk, parked, base } = await withParked();
    await trunk.repository.fence('root/a', 2, 'taken over');
    expect((await trunk.submit('root/a', { z: '' }, { id: { epoch: 2 } })).kind).toBe('committed');
    const harness = { intent: { kind: 'harness' } } as const;
    expect((await trunk.submit('root/a', { w: '' }, { id: { epoch: 2 }, ...harness })).kind).toBe(
      'committed',
    );
    expect(trunk.repository.parked()).toMatchObject([{ id: parked }]);
    const other = await trunk.submit('root/a', { x: 'dos\n' }, { id: { epoch: 2 }, base });
    expect(trunk.repository.parked().map(({ id }) => id)).toEqual([parked, parkedOf(other)]);
    const settled = await trunk.submit('root/a', { x: 'both\n' }, { id: { epoch: 2 }, ...settles(parked) });
    expect(settled.kind).toBe('committed');
    expect(trunk.repository.parked().map(({ id }) => id)).toEqual([parkedOf(other)]);
  });

  it('stays apart from a new agent of the task when its resolution was parked again', async () => {
    const { trunk, parked } = await withParked();
    await trunk.repository.fence('root/a', 2, 'taken over');
    const base = trunk.repository.head().id;
    await trunk.submit('root/c', { x: 'een\n' }, { base });
    const again = await trunk.submit(
      'root/a',
      { x: 'both\n' },
      { ...settles(parked), base, id: { epoch: 2 } },
    );
    expect((await trunk.submit('root/a', { z: '' }, { id: { epoch: 2 } })).kind).toBe('committed');
    expect(trunk.repository.parked()).toMatchObject([{ id: parkedOf(again), round: 2 }]);
  });

  it('never comes of what the harness writes: that is refused, to be written again on the newest trunk', async () => {
    const { trunk, base, parked } = await withParked();
    const harness: SubmitOptions = { intent: { kind: 'harness' } };
    const late = await trunk.submit('root/a', { x: 'tres\n', z: '' }, { base, ...harness });
    expect(late).toEqual({
      kind: 'rejected',
      rejection: {
        code: 'trunk-moved',
        paths: ['x'],
        details: 'trunk changed these paths since the base; take the newest trunk and try again',
      },
    });
    expect(trunk.repository.parked().map(({ id }) => id)).toEqual([parked]);
    expect((await trunk.submit('root/a', { x: 'tres\n', z: '' }, harness)).kind).toBe('committed');
    expect((await trunk.reopened()).repository.parked().map(({ id }) => id)).toEqual([parked]);
  });

  it('stands where it was parked among the others, oldest first, after reopening too', async () => {
    const { trunk, base, parked } = await withParked();
    const park = async (task: string, epoch: number): Promise<string> =>
      parkedOf(await trunk.submit(task, { x: `${task} ${epoch}\n` }, { base, id: { epoch } }));
    const other = await park('root/c', 1);
    await trunk.repository.fence('root/a', 2, 'taken over');
    await park('root/a', 2);
    await trunk.repository.fence('root/a', 3, 'taken over');
    const third = await park('root/a', 3);
    const again = await park('root/a', 3);
    expect(third).not.toBe(again);
    for (const { repository } of [trunk, await trunk.reopened()]) {
      const sets = repository.parked();
      expect(sets.map(({ request }) => request.id.epoch)).toEqual([1, 1, 2, 3]);
      expect([sets[0]?.id, sets[1]?.id, sets[3]?.id]).toEqual([parked, other, again]);
    }
  });

  it('is given up by a recorded decision only', async () => {
    const { trunk, parked } = await withParked();
    await trunk.repository.drop(parked, 'root', 'the goal changed');
    expect(trunk.repository.parked()).toEqual([]);
    expect(trunk.repository.records(0).at(-1)).toMatchObject({ kind: 'dropped', parked, by: 'root' });
    await expect(trunk.repository.drop(parked, 'root', '')).rejects.toMatchObject({ code: 'not-parked' });
    expect((await trunk.reopened()).repository.parked()).toEqual([]);
  });
});

describe('a fence', () => {
  it('holds for its task, from its epoch on, after reopening too', async () => {
    const trunk = await TestTrunk.with({});
    await trunk.repository.fence('root/a', 3, 'cancelled');
    await trunk.repository.fence('root/a', 2, 'late');
    for (const { submit } of [trunk, await trunk.reopened()].map((opened) => ({
      submit: opened.submit.bind(opened),
    }))) {
      expect(await submit('root/a', { x: '' }, { id: { epoch: 2, call: 7 } })).toMatchObject({
        rejection: { code: 'stale-epoch' },
      });
      expect((await submit('root/a/b', { [`x${Math.random()}`]: '' })).kind).toBe('committed');
    }
  });
});
