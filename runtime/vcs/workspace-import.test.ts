import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { MemoryLogStore } from './memory-log-store.ts';
import { createRepository, type CreatedRepository } from './open-repository.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { provenance, textsOf } from './testing/trunk.ts';
import { workspaceSource, type WorkspaceOptions } from './workspace-import.ts';

function workspaceWith(files: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function imported(folder: string, options: Partial<WorkspaceOptions> = {}): Promise<CreatedRepository> {
  const source = workspaceSource({ fileSystem: nodeFileSystem, folder, ...options });
  return createRepository({ logStore: new MemoryLogStore(), clock: new ManualClock() }, source, provenance);
}

async function importedPaths(folder: string, options: Partial<WorkspaceOptions> = {}): Promise<string[]> {
  const { repository } = await imported(folder, options);
  return [...repository.head().walk()].map(([path]) => path);
}

describe('the import of a workspace', () => {
  it('takes an empty one', async () => {
    const { repository, imported: report } = await imported(temporaryFolder());
    expect(report).toEqual({ snapshot: repository.head().id, files: 0, leftOut: [] });
    expect(repository.head().sequence).toBe(0);
    expect(await textsOf(repository.head())).toEqual({});
  });

  it('is the first commit, with all files', async () => {
    const folder = workspaceWith({ a: '1', 'b/c/d': '2', '.hidden': '3', empty: '' });
    mkdirSync(join(folder, 'no-files-here'));
    const { repository, imported: report } = await imported(folder);
    expect(await textsOf(repository.head())).toEqual({ '.hidden': '3', a: '1', 'b/c/d': '2', empty: '' });
    expect(report.files).toBe(4);
    expect(repository.records(0)).toMatchObject([{ kind: 'commit', sequence: 0, commit: report.snapshot }]);
  });

  it('keeps links as links and programs executable', async () => {
    const folder = workspaceWith({ 'run.sh': '#!/bin/sh\n', 'dir/x': '' });
    chmodSync(join(folder, 'run.sh'), 0o755);
    symlinkSync('dir', join(folder, 'to-folder'));
    symlinkSync('/nowhere', join(folder, 'broken'));
    const { repository } = await imported(folder);
    const head = repository.head();
    expect([...head.walk()].map(([path, { mode }]) => [path, mode])).toEqual([
      ['broken', 'symlink'],
      ['dir/x', 'file'],
      ['run.sh', 'executable'],
      ['to-folder', 'symlink'],
    ]);
    expect(Buffer.from(await head.read('broken')).toString()).toBe('/nowhere');
  });

  it('leaves out what is ignored, by the nearest rule', async () => {
    const folder = workspaceWith({
      '.gitignore': '# comment\n*.log\n/build\nnode_modules/\n!keep.log\ntmp/*\n!tmp/kept\n',
      'a.log': '',
      'keep.log': '',
      'build/x': '',
      'sub/build/x': '',
      'node_modules/p/index.js': '',
      'sub/node_modules/p/index.js': '',
      'sub/.gitignore': '!b.log\nsecret\n',
      'sub/b.log': '',
      'sub/secret': '',
      'sub/deep/c.log': '',
      'sub/deep/.gitignore': '/only-here\r\n',
      'sub/deep/only-here': '',
      'sub/only-here': '',
      'tmp/gone': '',
      'tmp/kept': '',
      'A.LOG': '',
    });
    expect(await importedPaths(folder)).toEqual([
      '.gitignore',
      'A.LOG',
      'keep.log',
      'sub/.gitignore',
      'sub/b.log',
      'sub/build/x',
      'sub/deep/.gitignore',
      'sub/only-here',
      'tmp/kept',
    ]);
  });

  it('agrees with git on nested rules', async () => {
    const folder = workspaceWith({
      '.gitignore':
        'out\n*.tmp\nlogs/**\n!logs/keep/\n!logs/keep/**\ndoc/*.txt\n**/cache/\n\\#literal\ntrailing \n',
      'pkg/.gitignore': '!out\n/local\n*.gen.*\n!*.tmp\n',
      'pkg/out/f': '',
      'pkg/out/g.tmp': '',
      'pkg/local/f': '',
      'pkg/deep/local/f': '',
      'pkg/x.gen.ts': '',
      'pkg/y.tmp': '',
      'out/f': '',
      'other/out/f': '',
      'logs/a': '',
      'logs/keep/b': '',
      'doc/a.txt': '',
      'doc/sub/a.txt': '',
      'x/cache/f': '',
      cache: '',
      '#literal': '',
      trailing: '',
      '.git/info/exclude': 'private\n',
      private: '',
    });
    spawnSync('git', ['init', '-q'], { cwd: folder });
    writeFileSync(join(folder, '.git/info/exclude'), 'private\n');
    const { stdout } = spawnSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', XDG_CONFIG_HOME: '/nowhere' },
    });
    const expected = stdout.split('\0').filter((path) => path !== '');
    expect(expected.length).toBeGreaterThan(5);
    expect(await importedPaths(folder)).toEqual(expected.toSorted());
  });

  it('never counts the workspace itself as ignored', async () => {
    const outer = workspaceWith({ '.gitignore': '*\n', 'inner/a': '' });
    spawnSync('git', ['init', '-q'], { cwd: outer });
    expect(await importedPaths(join(outer, 'inner'))).toEqual(['a']);
  });

  it('never enters .git, and treats repositories inside as opaque', async () => {
    const folder = workspaceWith({
      '.git/config': '',
      a: '',
      'nested/.git/HEAD': '',
      'nested/b': '',
      'module/.git': 'gitdir: ../.git/modules/module\n',
      'module/c': '',
      'deep/tree/.git': 'gitdir: /elsewhere\n',
      'deep/tree/d': '',
      'deep/e': '',
      'odd/.GIT/x': '',
    });
    const { repository, imported: report } = await imported(folder);
    expect(Object.keys(await textsOf(repository.head()))).toEqual(['a', 'deep/e']);
    expect(report.leftOut.map(({ path }) => path)).toEqual(['deep/tree', 'module', 'nested', 'odd/.GIT']);
  });

  it('reports files that are too large, special, unreadable or badly named', async () => {
    const folder = workspaceWith({
      large: 'x'.repeat(101),
      fits: 'x'.repeat(100),
      'back\\slash': '',
      gone: '',
    });
    const server = createServer().listen(join(folder, 'socket'));
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      readFile: async (path) => {
        if (path.endsWith('/gone')) throw Object.assign(new Error('no'), { code: 'EACCES' });
        return nodeFileSystem.readFile(path);
      },
    };
    const { repository, imported: report } = await imported(folder, { fileSystem, largestFile: 100 });
    expect(Object.keys(await textsOf(repository.head()))).toEqual(['fits']);
    expect(report.leftOut).toEqual([
      { path: 'back\\slash', reason: expect.stringContaining('backslash') },
      { path: 'gone', reason: 'cannot be read (EACCES)' },
      { path: 'large', reason: 'larger than 100 bytes' },
      { path: 'socket', reason: 'not a regular file' },
    ]);
  });

  it('leaves out what is nested too deep for a checkout, and reports it', async () => {
    const deep = Array.from({ length: 63 }, () => 'd').join('/');
    const folder = workspaceWith({ a: '', [`${deep}/f`]: '', [`${deep}/d/g`]: '', 'git~1/config': '' });
    const { repository, imported: report } = await imported(folder);
    expect(Object.keys(await textsOf(repository.head()))).toEqual(['a', `${deep}/f`]);
    expect(report.leftOut).toEqual([
      { path: `${deep}/d/g`, reason: 'a path may have 64 parts' },
      { path: 'git~1', reason: expect.stringContaining('repository') },
    ]);
  });

  it('leaves out names and targets of links that are not UTF-8, and reports each', async () => {
    const folder = workspaceWith({ a: '' });
    const named = (...code: number[]): Buffer =>
      Buffer.concat([Buffer.from(`${folder}/f`), Buffer.from(code)]);
    for (const code of [0xff, 0xfe]) writeFileSync(named(code), 'x');
    mkdirSync(named(0xc3));
    writeFileSync(Buffer.concat([named(0xc3), Buffer.from('/inside')]), 'x');
    symlinkSync(Buffer.from([0x61, 0xe9]), join(folder, 'link'));
    const { repository, imported: report } = await imported(folder);
    expect(await textsOf(repository.head())).toEqual({ a: '' });
    const name = { path: 'f\u{fffd}', reason: 'its name is not valid UTF-8' };
    expect(report.leftOut).toEqual([
      name,
      name,
      name,
      { path: 'link', reason: 'its target is not valid UTF-8' },
    ]);
  });

  it('leaves out the folders it is told to, such as the store', async () => {
    const folder = workspaceWith({ a: '', 'state/run/log': '', 'state/b': '' });
    expect(await importedPaths(folder, { exclude: [join(folder, 'state', 'run')] })).toEqual([
      'a',
      'state/b',
    ]);
  });

  it('says when the workspace cannot be read', async () => {
    await expect(imported(join(temporaryFolder(), 'none'))).rejects.toMatchObject({ code: 'io' });
  });

  it('takes thousands of files soon', async () => {
    const folder = temporaryFolder();
    const files = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`d${index % 50}/f${index}.txt`, `text ${index}`]),
    );
    workspaceWith(files, folder);
    const started = performance.now();
    const { imported: report } = await imported(folder);
    expect(report.files).toBe(2000);
    expect(performance.now() - started).toBeLessThan(10_000);
  }, 30_000);

  it('stores equal contents once', async () => {
    const records: Uint8Array[] = [];
    const folder = workspaceWith({ a: 'same'.repeat(1000), b: 'same'.repeat(1000), c: 'same'.repeat(1000) });
    await createRepository(
      { logStore: new MemoryLogStore(records), clock: new ManualClock() },
      workspaceSource({ fileSystem: nodeFileSystem, folder }),
      provenance,
    );
    expect(records.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(8000);
  });

  it('keeps its report with the log', async () => {
    const records: Uint8Array[] = [];
    const folder = workspaceWith({ large: 'xx', a: '' });
    const open = async (): Promise<CreatedRepository> =>
      createRepository(
        { logStore: new MemoryLogStore(records), clock: new ManualClock() },
        workspaceSource({ fileSystem: nodeFileSystem, folder, largestFile: 1 }),
        provenance,
      );
    const first = await open();
    expect(first.imported.leftOut).toHaveLength(1);
    expect((await open()).imported).toEqual(first.imported);
  });
});
