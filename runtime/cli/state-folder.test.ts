import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateFolder } from '#journal/run-folders.ts';
import { findStore, runFolders } from './state-folder.ts';
import { testHost } from './test-host.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swarmwright-state-'));
  mkdirSync(join(folder, 'work'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('where runs are kept', () => {
  const home = '/home/u';

  it.each([
    ['linux', {}, '/home/u/.local/state/swarmwright'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/swarmwright'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/u/.local/state/swarmwright'],
    ['linux', { XDG_STATE_HOME: '/state', SWARMWRIGHT_STATE: '/mine' }, '/mine'],
    ['linux', { SWARMWRIGHT_STATE: 'relative' }, '/home/u/.local/state/swarmwright'],
    ['darwin', {}, '/home/u/Library/Application Support/swarmwright'],
  ] as const)('is on %s with %j the folder %s', (platform, environment, expected) => {
    expect(stateFolder({ platform, environment, home })).toBe(expected);
  });
});

describe('the latest run of a workspace', () => {
  it('is found by the workspace, also through a link to it', async () => {
    symlinkSync(join(folder, 'work'), join(folder, 'link'));
    const { host } = testHost({ cwd: folder, environment: { SWARMWRIGHT_STATE: join(folder, 'state') } });
    const folders = runFolders(host);
    const first = await folders.newStore(join(folder, 'work'));
    await folders.rememberLatest(join(folder, 'work'), first);
    const second = await folders.newStore(join(folder, 'link'));
    await folders.rememberLatest(join(folder, 'work'), second);
    expect(first).not.toBe(second);
    expect(await findStore(host, { workspace: 'link' })).toBe(second);
    expect(await findStore({ ...host, cwd: join(folder, 'work') }, {})).toBe(second);
    expect(first).toMatch(/\/state\/runs\/work-[0-9a-f]{8}\/\d{8}T\d{6}Z-[0-9a-f]{4}$/);
    expect(readdirSync(join(first, '..'))).toEqual(['latest']);
  });

  it('is not asked for when a store is named', async () => {
    const { host } = testHost({ cwd: folder });
    expect(await findStore(host, { store: 'here' })).toBe(join(folder, 'here'));
  });

  it('says when there is none', async () => {
    const { host } = testHost({ cwd: folder, environment: { SWARMWRIGHT_STATE: join(folder, 'state') } });
    await expect(findStore(host, { workspace: 'work' })).rejects.toMatchObject({ code: 'no-run' });
  });

  it('is forgotten when the workspace is made anew', async () => {
    const { host } = testHost({ cwd: folder, environment: { SWARMWRIGHT_STATE: join(folder, 'state') } });
    const folders = runFolders(host);
    const work = join(folder, 'work');
    await folders.forgetLatest(work);
    await folders.rememberLatest(work, await folders.newStore(work));
    await folders.forgetLatest(work);
    await expect(findStore(host, { workspace: 'work' })).rejects.toMatchObject({ code: 'no-run' });
  });

  it('does not take a damaged pointer for a path', async () => {
    const { host } = testHost({ cwd: folder, environment: { SWARMWRIGHT_STATE: join(folder, 'state') } });
    await runFolders(host).rememberLatest(join(folder, 'work'), 'x');
    const [runs] = readdirSync(join(folder, 'state', 'runs'));
    writeFileSync(join(folder, 'state', 'runs', runs ?? '', 'latest'), '');
    await expect(findStore(host, { workspace: 'work' })).rejects.toMatchObject({ code: 'latest-unreadable' });
  });
});
