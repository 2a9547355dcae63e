import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { lockStore, storeOwner } from './store-lock.ts';
import { WriterProcess } from './test-processes.ts';

const edges = { clock: new ManualClock(5_000), fileSystem: nodeFileSystem };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('the lock of a store', () => {
  it('is refused to a second owner in the same process, and names the first', async () => {
    const lock = await lockStore(folder, edges);
    await expect(lockStore(folder, edges)).rejects.toMatchObject({
      code: 'in-use',
      details: { pid: process.pid, since: 5_000, host: hostname() },
    });
    await lock.release();
    const next = await lockStore(folder, edges);
    await next.release();
  });

  it('survives a second owner that was refused', async () => {
    const lock = await lockStore(folder, edges);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(lockStore(folder, edges)).rejects.toMatchObject({ code: 'in-use' });
    }
    await lock.release();
  });

  it('is refused while another process owns the store, and free the moment it was killed', async () => {
    for (let round = 0; round < 2; round += 1) {
      const owner = new WriterProcess(folder);
      await owner.hasSaid(1);
      await expect(lockStore(folder, edges)).rejects.toMatchObject({
        code: 'in-use',
        message: `process ${owner.pid} on ${hostname()} owns the store`,
        details: { pid: owner.pid },
      });
      await owner.kill();
      // Its owner.json is still there, and says nothing.
      expect(await readdir(folder)).toContain('owner.json');
      const lock = await lockStore(folder, edges);
      expect(JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8'))).toMatchObject({
        pid: process.pid,
      });
      await lock.release();
    }
  }, 30_000);

  it('holds another process off', async () => {
    const lock = await lockStore(folder, edges);
    const other = new WriterProcess(folder);
    await expect(other.hasSaid(1)).rejects.toThrow(/ended by itself[^]*in-use/u);
    await lock.release();
  }, 30_000);

  it('can be looked at without being taken, and tells no dead owner from none', async () => {
    expect(await storeOwner(folder, nodeFileSystem)).toBeUndefined();
    const owner = new WriterProcess(folder);
    await owner.hasSaid(1);
    expect(await storeOwner(folder, nodeFileSystem)).toMatchObject({ pid: owner.pid, host: hostname() });
    await owner.kill();
    expect(await storeOwner(folder, nodeFileSystem)).toBeUndefined();
    const lock = await lockStore(folder, edges);
    expect(await storeOwner(folder, nodeFileSystem)).toEqual({
      pid: process.pid,
      since: 5_000,
      host: hostname(),
    });
    await expect(lockStore(folder, edges)).rejects.toMatchObject({ code: 'in-use' });
    await lock.release();
  }, 30_000);

  it('is held on while others look at it', async () => {
    const lock = await lockStore(folder, edges);
    for (let look = 0; look < 5; look += 1) await storeOwner(folder, nodeFileSystem);
    const other = new WriterProcess(folder);
    await expect(other.hasSaid(1)).rejects.toThrow(/in-use/u);
    await lock.release();
  }, 30_000);

  it('says that someone owns the store where it is not written who', async () => {
    const lock = await lockStore(folder, edges);
    await writeFile(join(folder, 'owner.json'), '{"pid":');
    await expect(lockStore(folder, edges)).rejects.toMatchObject({
      code: 'in-use',
      message: 'another process owns the store',
      details: { folder },
    });
    await lock.release();
  });

  it('is not held when its owner could not be written', async () => {
    const full: FileSystem = {
      ...nodeFileSystem,
      writeFile: async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    };
    await expect(lockStore(folder, { ...edges, fileSystem: full })).rejects.toMatchObject({ code: 'io' });
    const lock = await lockStore(folder, edges);
    await lock.release();
  });

  it('leaves no owner behind, and can be released twice', async () => {
    const lock = await lockStore(folder, edges);
    await lock.release();
    await lock.release();
    expect(await readdir(folder)).toEqual(['lock.sqlite']);
  });

  it('cannot be had in a folder that is missing', async () => {
    await expect(lockStore(join(folder, 'nowhere'), edges)).rejects.toMatchObject({ code: 'io' });
  });
});
