import { describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import type { SubmitRequest } from '#protocol/change-sets.ts';
import { MemoryLogStore } from './memory-log-store.ts';
import { createRepository, openRepository } from './open-repository.ts';
import { emptySource } from './workspace-import.ts';

const provenance = {
  run: 'r',
  task: 'root',
  attempt: 1,
  role: 'worker',
  model: '',
  decisions: [],
  title: 'import',
} as const;

function text(value: string): Uint8Array {
  return Buffer.from(value);
}

describe('first words', () => {
  it('commits, merges, conflicts', async () => {
    const records: Uint8Array[] = [];
    const clock = new ManualClock(5);
    const { repository } = await createRepository(
      { logStore: new MemoryLogStore(records), clock },
      emptySource,
      provenance,
    );
    const view = (): ReturnType<typeof repository.openView> => repository.openView(repository.head().id);
    const request = (task: string, v: ReturnType<typeof view>): SubmitRequest => ({
      id: { task, epoch: 1, turn: 1, call: 0 },
      changeSet: v.changeSet(),
      scope: ['**'],
      intent: { kind: 'work' },
      provenance: { ...provenance, task },
    });
    const a = view();
    a.write('x.txt', text('1\n2\n3\n4\n5\n'));
    expect(await repository.submit(request('root/a', a))).toMatchObject({
      kind: 'committed',
      paths: ['x.txt'],
    });
    const [b, c, d] = [view(), view(), view()];
    b.write('x.txt', text('one\n2\n3\n4\n5\n'));
    c.write('x.txt', text('1\n2\n3\n4\nfive\n'));
    d.write('x.txt', text('uno\n2\n3\n4\n5\n'));
    expect((await repository.submit(request('root/b', b))).kind).toBe('committed');
    expect((await repository.submit(request('root/c', c))).kind).toBe('merged');
    expect(await repository.submit(request('root/d', d))).toMatchObject({
      kind: 'conflicted',
      conflicts: [{ path: 'x.txt', kind: 'content', trunkTasks: ['root/b', 'root/c'], task: 'root/d' }],
    });
    expect(Buffer.from(await repository.head().read('x.txt')).toString()).toBe('one\n2\n3\n4\nfive\n');
    await repository.close();
    const again = await openRepository({ logStore: new MemoryLogStore(records), clock });
    expect(again.parked()).toHaveLength(1);
    expect(again.head().treeHash()).toBe(repository.head().treeHash());
  });
});
