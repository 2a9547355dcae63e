import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { JournalError } from './errors.ts';
import { createStore, findStore, openStore } from './run-store.ts';
import { openJournal } from './sqlite-journal.ts';

const clock = new ManualClock(5_000);
const edges = { clock, fileSystem: nodeFileSystem };
let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'store-'));
  folder = join(parent, 'runs', 'one');
});
afterEach(async () => {
  await rm(parent, { recursive: true });
});

async function makeStore(): Promise<void> {
  const store = await createStore(folder, edges);
  await store.release();
}

describe('making a store', () => {
  it('lays it out in a folder that only its user can read', async () => {
    const store = await createStore(folder, edges);
    expect(store.paths).toEqual({ folder, vcs: join(folder, 'vcs'), checkouts: join(folder, 'checkouts') });
    expect((await readdir(folder)).toSorted()).toEqual([
      'checkouts',
      'format',
      'lock.sqlite',
      'owner.json',
      'vcs',
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await store.release();
  });

  it('takes an empty folder, also one where a creation was cut off', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'lock.sqlite'), '');
    await writeFile(join(folder, 'format.draft'), 'swarm');
    await makeStore();
    await expect(findStore(folder, nodeFileSystem)).resolves.toMatchObject({ folder });
  });

  it('refuses a folder with anything in it, and leaves it alone', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await expect(createStore(folder, edges)).rejects.toMatchObject({
      code: 'not-empty',
      details: { entry: 'notes.txt' },
    });
    expect(await readdir(folder)).toEqual(['notes.txt']);
  });

  it('refuses a file', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(createStore(join(parent, 'file'), edges)).rejects.toMatchObject({ code: 'not-empty' });
    await expect(createStore(join(parent, 'file', 'x'), edges)).rejects.toMatchObject({ code: 'not-empty' });
  });

  it('refuses a folder that is a store', async () => {
    await makeStore();
    await expect(createStore(folder, edges)).rejects.toMatchObject({ code: 'store-exists' });
  });

  it('lets one of two win', async () => {
    const results = await Promise.allSettled([createStore(folder, edges), createStore(folder, edges)]);
    const stores = results.filter((result) => result.status === 'fulfilled');
    expect(stores).toHaveLength(1);
    const loser = results.find((result) => result.status === 'rejected');
    expect(['in-use', 'store-exists']).toContain(JournalError.is(loser?.reason) && loser.reason.code);
    await stores[0]?.value.release();
  });

  it('says what stood in its way', async () => {
    const readOnly: FileSystem = {
      ...nodeFileSystem,
      makeDirectory: async () => Promise.reject(Object.assign(new Error('no'), { code: 'EROFS' })),
    };
    await expect(createStore(folder, { clock, fileSystem: readOnly })).rejects.toThrow(
      /cannot be made: EROFS/u,
    );
  });

  it('leaves no lock behind when it fails half-way', async () => {
    const failing: FileSystem = {
      ...nodeFileSystem,
      rename: async (from, to) =>
        to.endsWith('format') ? Promise.reject(new Error('no')) : nodeFileSystem.rename(from, to),
    };
    await expect(createStore(folder, { clock, fileSystem: failing })).rejects.toMatchObject({ code: 'io' });
    await makeStore();
    await expect(findStore(folder, nodeFileSystem)).resolves.toMatchObject({ folder });
  });
});

describe('a store in which no run was started', () => {
  it('is gone without a trace when it is discarded', async () => {
    const store = await createStore(folder, edges);
    const journal = await openJournal(folder, clock);
    await journal.close();
    await store.discard();
    expect(await readdir(join(parent, 'runs'))).toEqual([]);
  });

  it('leaves a folder that was there before', async () => {
    await mkdir(folder, { recursive: true });
    const store = await createStore(folder, edges);
    await store.discard();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('opening a store', () => {
  it('owns it', async () => {
    await makeStore();
    const store = await openStore(folder, edges);
    await expect(openStore(folder, edges)).rejects.toMatchObject({ code: 'in-use' });
    await store.release();
    await (await openStore(folder, edges)).release();
  });

  it('can be looked at while someone owns it', async () => {
    const store = await createStore(folder, edges);
    await expect(findStore(folder, nodeFileSystem)).resolves.toEqual(store.paths);
    await store.release();
  });

  it.each([
    ['a folder that is missing', async () => Promise.resolve()],
    ['an empty folder', async () => mkdir(folder, { recursive: true })],
    [
      'a folder of something else',
      async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'format'), 'repository 1');
      },
    ],
  ])('refuses %s, and makes nothing there', async (_what, prepare) => {
    await prepare();
    const before = await readdir(parent, { recursive: true });
    await expect(openStore(folder, edges)).rejects.toMatchObject({ code: 'no-store' });
    expect(await readdir(parent, { recursive: true })).toEqual(before);
  });

  it('refuses a store of another version', async () => {
    await makeStore();
    await writeFile(join(folder, 'format'), 'swarmwright-store 2\n');
    await expect(openStore(folder, edges)).rejects.toMatchObject({
      code: 'unknown-format',
      details: { version: 2, known: 1 },
    });
  });

  it('makes the folders that a kill has kept from being made', async () => {
    await makeStore();
    await rm(join(folder, 'vcs'), { recursive: true });
    const store = await openStore(folder, edges);
    expect(await readdir(folder)).toContain('vcs');
    await store.release();
  });
});
