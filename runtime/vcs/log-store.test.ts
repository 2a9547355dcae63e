import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VcsError } from './errors.ts';
import { FileLogStore } from './file-log-store.ts';
import type { LogStore } from './log-store.ts';
import { MemoryLogStore } from './memory-log-store.ts';
import { faultyFileSystem } from './testing/faulty-file-system.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

/** Gives a store on the same records each time it is called. */
type MakeStore = () => LogStore;

const stores: readonly { name: string; prepare: () => MakeStore }[] = [
  {
    name: 'in memory',
    prepare: () => {
      const records: Uint8Array[] = [];
      return () => new MemoryLogStore(records);
    },
  },
  {
    name: 'in files',
    prepare: () => {
      const folder = temporaryFolder();
      return () => new FileLogStore(faultyFileSystem(), folder);
    },
  },
  {
    name: 'in files of a few records each',
    prepare: () => {
      const folder = temporaryFolder();
      return () => new FileLogStore(faultyFileSystem(), folder, 200);
    },
  },
];

/** Opens and closes. */
async function contentOf(store: LogStore): Promise<string[]> {
  const { records } = await openAll(store);
  await store.close();
  return records;
}

async function openAll(store: LogStore): Promise<{ records: string[]; reports: readonly string[] }> {
  const records: string[] = [];
  const reports = await store.open((payload, index) => {
    expect(index).toBe(records.length + 1);
    records.push(Buffer.from(payload).toString('latin1'));
  });
  return { records, reports };
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

describe.each(stores)('a log $name', ({ prepare }) => {
  it('is empty at first', async () => {
    const store = prepare()();
    expect(await openAll(store)).toEqual({ records: [], reports: [] });
    await store.close();
  });

  it('gives back what was appended, in order, after each reopening', async () => {
    const make = prepare();
    const expected: string[] = [];
    for (const round of ['a', 'b', 'c']) {
      const store = make();
      expect((await openAll(store)).records).toEqual(expected);
      const texts = Array.from({ length: 20 }, (_, index) => `${round}${index} `.repeat(index));
      const appended = texts.map((text) => store.append(bytes(text)));
      expect(appended.map(({ index }) => index)).toEqual(texts.map((_, at) => expected.length + at + 1));
      await Promise.all(appended.map(async ({ durable }) => durable));
      expected.push(...texts);
      await store.close();
    }
  });

  it('reads parts of records before and after they are durable', async () => {
    const make = prepare();
    const store = make();
    await openAll(store);
    const { index, durable } = store.append(bytes('0123456789'));
    expect(Buffer.from(await store.read(index, 3, 4)).toString()).toBe('3456');
    await durable;
    expect(Buffer.from(await store.read(index, 8, 2)).toString()).toBe('89');
    await expect(store.read(index + 1, 0, 1)).rejects.toSatisfy((error) => VcsError.is(error, 'io'));
    await store.close();
    const again = make();
    await openAll(again);
    expect(Buffer.from(await again.read(index, 0, 10)).toString()).toBe('0123456789');
    await again.close();
  });

  it('makes records durable in their order', async () => {
    const store = prepare()();
    await openAll(store);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { index, durable } = store.append(bytes('x'));
        await durable;
        order.push(index);
      }),
    );
    expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    await store.close();
  });

  it('takes nothing after it was closed, and finishes what it took before', async () => {
    const make = prepare();
    const store = make();
    await openAll(store);
    const { durable } = store.append(bytes('kept'));
    await store.close();
    await durable;
    await expect(store.append(bytes('late')).durable).rejects.toSatisfy((error) =>
      VcsError.is(error, 'closed'),
    );
    expect(await contentOf(make())).toEqual(['kept']);
  });

  it('keeps any bytes through any pattern of appending and reopening', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 6 })),
        async (rounds) => {
          const make = prepare();
          const expected: string[] = [];
          for (const round of rounds) {
            const store = make();
            expect((await openAll(store)).records).toEqual(expected);
            await Promise.all(round.map(async (payload) => store.append(payload).durable));
            expected.push(...round.map((payload) => Buffer.from(payload).toString('latin1')));
            await store.close();
          }
          expect(await contentOf(make())).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  }, 30_000);
});

describe('group commit', () => {
  it('lets many appends share one sync', async () => {
    const fileSystem = faultyFileSystem();
    const store = new FileLogStore(fileSystem, temporaryFolder());
    await openAll(store);
    const before = fileSystem.syncs();
    await Promise.all(Array.from({ length: 500 }, async () => store.append(bytes('x')).durable));
    expect(fileSystem.syncs() - before).toBeLessThanOrEqual(2);
    await store.close();
  });
});
