import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import type { Change } from '#protocol/change-sets.ts';
import type { LandedFile } from '#protocol/events.ts';
import { RunProjection } from '#protocol/projection.ts';
import { defaultCaps, type LandRequest } from '#protocol/requests.ts';
import type { Provenance } from '#protocol/tasks.ts';
import { MemoryJournal } from '#journal/memory-journal.ts';
import { MemoryLogStore } from '#vcs/memory-log-store.ts';
import { createRepository } from '#vcs/open-repository.ts';
import { workspaceSource } from '#vcs/workspace-import.ts';
import { EventLog } from './event-log.ts';
import { Landing } from './landing.ts';

/** Why a file waits. */
function waitsFor(file: Extract<LandedFile, { result: 'waits' }>): string {
  if (file.approval === undefined) return `waits: ${file.reason}`;
  return ['needs approval', file.approval, file.linksTo ?? []].flat().join(' ');
}

const provenance: Provenance = {
  run: 'r',
  task: 'root',
  attempt: 1,
  role: 'harness',
  model: '',
  decisions: [],
  title: 'test',
};

type Files = Readonly<Record<string, string>>;

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** A workspace that was imported, and a trunk to bring into it. */
async function bench(
  before: Files,
  wrap: (fileSystem: FileSystem) => FileSystem = (fileSystem) => fileSystem,
): Promise<
  AsyncDisposable & {
    readonly workspace: string;
    build(changes: Readonly<Record<string, string | null>>, mode?: 'executable' | 'symlink'): Promise<void>;
    land(...approve: readonly string[]): Promise<readonly string[]>;
    landWithoutNotes(): Promise<readonly string[]>;
    take(...paths: readonly string[]): Promise<readonly string[]>;
    readonly replaced: string;
  }
> {
  const workspace = await mkdtemp(join(tmpdir(), 'landing-'));
  await write(workspace, before);
  const fileSystem = wrap(nodeFileSystem);
  const replaced = await mkdtemp(join(tmpdir(), 'replaced-'));
  const { repository } = await createRepository(
    { logStore: new MemoryLogStore(), clock: systemClock },
    workspaceSource({ fileSystem, folder: workspace }),
    provenance,
  );
  const log = new EventLog(new MemoryJournal(systemClock), new RunProjection());
  await log.publish({
    type: 'run.created',
    options: {
      run: 'r',
      specPath: '/spec.md',
      specTitle: 'spec',
      workspace,
      models: { planner: 'p/p', worker: 'p/p', resolver: 'p/p' },
      caps: defaultCaps,
      land: true,
      unsandboxed: false,
    },
  });
  let call = 0;
  const land = async (request: LandRequest): Promise<readonly string[]> => {
    const landing = new Landing({ workspace, fileSystem, repository, log, replaced });
    const { files } = await landing.land(request);
    return files.map((file) => `${file.path} ${file.result === 'waits' ? waitsFor(file) : file.result}`);
  };
  return {
    workspace,
    build: async (changes, mode) => {
      call += 1;
      const list = Object.entries(changes).map(([path, content]): Change =>
        content === null
          ? { kind: 'delete', path }
          : { kind: 'write', path, mode: mode ?? 'file', content: new TextEncoder().encode(content) },
      );
      const outcome = await repository.submit({
        id: { task: 'root', epoch: 1, turn: 1, call },
        changeSet: { base: repository.head().id, changes: list },
        scope: [],
        intent: { kind: 'harness' },
        provenance,
      });
      expect(outcome.kind).toBe('committed');
    },
    land: async (...approve) => land({ approve }),
    landWithoutNotes: async () => land({ approve: [], notes: false }),
    take: async (...paths) => land({ approve: [], take: paths }),
    replaced,
    [Symbol.asyncDispose]: async () => {
      await repository.close();
      await rm(workspace, { recursive: true });
      await rm(replaced, { recursive: true });
    },
  };
}

const read = async (...path: readonly string[]): Promise<string> => readFile(join(...path), 'utf8');

test('new, changed and deleted files land; files that nobody built stay as they are', async () => {
  await using one = await bench({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'mine.txt': 'mine\n' });
  await one.build({ 'a.txt': 'A\n', 'b.txt': null, 'src/deep/c.txt': 'c\n' });
  expect(await one.land()).toEqual(['a.txt written', 'b.txt deleted', 'src/deep/c.txt written']);
  expect(await read(one.workspace, 'a.txt')).toBe('A\n');
  expect(await read(one.workspace, 'src/deep/c.txt')).toBe('c\n');
  expect((await readdir(one.workspace)).toSorted()).toEqual(['a.txt', 'mine.txt', 'src']);
});

test('landing again changes nothing', async () => {
  await using one = await bench({ 'a.txt': 'a\n' });
  await one.build({ 'a.txt': 'A\n', 'c.txt': 'c\n' });
  await one.land();
  const before = await lstat(join(one.workspace, 'a.txt'), { bigint: true });
  expect(await one.land()).toEqual(['a.txt already-there', 'c.txt already-there']);
  expect((await lstat(join(one.workspace, 'a.txt'), { bigint: true })).mtimeNs).toBe(before.mtimeNs);
});

describe('the edits of the user', () => {
  test('at other lines are merged with what was built', async () => {
    await using one = await bench({ 'a.txt': '1\n2\n3\n4\n5\n' });
    await one.build({ 'a.txt': '1\n2\n3\n4\nfive\n' });
    await write(one.workspace, { 'a.txt': 'one\n2\n3\n4\n5\n' });
    expect(await one.land()).toEqual(['a.txt merged']);
    expect(await read(one.workspace, 'a.txt')).toBe('one\n2\n3\n4\nfive\n');
    expect(await one.land()).toEqual(['a.txt kept']);
  });

  test('at the same lines win: the built side waits', async () => {
    await using one = await bench({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': 'one\n' });
    await write(one.workspace, { 'a.txt': 'uno\n' });
    expect(await one.land()).toEqual(['a.txt waits: you have changed the same lines']);
    expect(await read(one.workspace, 'a.txt')).toBe('uno\n');
  });

  test('are not undone by a deletion, nor by a file that was made meanwhile', async () => {
    await using one = await bench({ 'a.txt': '1\n' });
    await one.build({ 'a.txt': null, 'new.txt': 'built\n' });
    await write(one.workspace, { 'a.txt': 'edited\n', 'new.txt': 'mine\n' });
    expect(await one.land()).toEqual([
      'a.txt waits: the build deletes it, and you have changed it',
      'new.txt waits: you have changed the same lines',
    ]);
    expect(await read(one.workspace, 'new.txt')).toBe('mine\n');
  });

  test('that landed before are no edits: a later build goes on from there', async () => {
    await using one = await bench({ 'a.txt': '1\n2\n3\n' });
    await one.build({ 'a.txt': 'one\n2\n3\n' });
    await one.land();
    await one.build({ 'a.txt': 'uno\n2\n3\n' });
    expect(await one.land()).toEqual(['a.txt written']);
    await write(one.workspace, { 'a.txt': 'uno\n2\ndrei\n' });
    await one.build({ 'a.txt': 'ein\n2\n3\n' });
    expect(await one.land()).toEqual(['a.txt merged']);
    expect(await read(one.workspace, 'a.txt')).toBe('ein\n2\ndrei\n');
  });
});

test('bytes, modes and links land as they were built', async () => {
  await using one = await bench({ 'run.sh': '#!/bin/sh\r\n', 'plain.txt': 'x' });
  await chmod(join(one.workspace, 'run.sh'), 0o755);
  await one.build({ 'tool.sh': '#!/bin/sh\n' }, 'executable');
  await one.build({ link: 'plain.txt' }, 'symlink');
  await one.build({ 'crlf.txt': '\u{feff}a\r\nb' });
  expect(await one.land()).toEqual(['crlf.txt written', 'link written', 'tool.sh written']);
  expect((await lstat(join(one.workspace, 'tool.sh'))).mode & 0o111).not.toBe(0);
  expect(await readlink(join(one.workspace, 'link'))).toBe('plain.txt');
  expect(await readFile(join(one.workspace, 'crlf.txt'))).toEqual(Buffer.from('\u{feff}a\r\nb'));
});

describe('what needs approval', () => {
  test('waits, and lands once the path is approved', async () => {
    await using one = await bench({});
    await one.build({ '.vscode/tasks.json': '{}', 'AGENTS.md': 'obey', 'src/a.js': '1' });
    expect(await one.land()).toEqual([
      '.vscode/tasks.json needs approval editors',
      'AGENTS.md needs approval coding-agents',
      'src/a.js written',
    ]);
    expect(await one.land('AGENTS.md')).toContain('AGENTS.md written');
  });

  test('includes the deletion of such a file', async () => {
    await using one = await bench({ 'AGENTS.md': 'obey' });
    await one.build({ 'AGENTS.md': null });
    expect(await one.land()).toEqual(['AGENTS.md needs approval coding-agents']);
  });

  test('includes package scripts, and no other change of a package', async () => {
    await using one = await bench({ 'package.json': '{"name":"a","scripts":{"test":"node t.js"}}' });
    await one.build({ 'package.json': '{"name":"b","scripts":{"test":"node t.js"}}' });
    expect(await one.land()).toEqual(['package.json written']);
    await one.build({ 'package.json': '{"name":"b","scripts":{"test":"node t.js","postinstall":"x"}}' });
    expect(await one.land()).toEqual(['package.json needs approval package-scripts']);
  });

  test('includes links that lead out of the workspace', async () => {
    await using one = await bench({});
    await one.build({ out: '../../etc/passwd' }, 'symlink');
    expect(await one.land()).toEqual(['out needs approval link-outside ../../etc/passwd']);
  });
});

test('a folder becomes a file, and a file a folder', async () => {
  await using one = await bench({ 'lib/x.js': '1', tool: '1' });
  await one.build({ 'lib/x.js': null, tool: null });
  await one.build({ lib: 'now a file', 'tool/main.js': 'now a folder' });
  expect(await one.land()).toEqual([
    'lib written',
    'lib/x.js deleted',
    'tool deleted',
    'tool/main.js written',
  ]);
  expect(await read(one.workspace, 'lib')).toBe('now a file');
  expect(await read(one.workspace, 'tool/main.js')).toBe('now a folder');
});

test('a file that landed as deleted can be built again', async () => {
  await using one = await bench({ 'a.txt': '1' });
  await one.build({ 'a.txt': null });
  await one.land();
  await one.build({ 'a.txt': '2' });
  expect(await one.land()).toEqual(['a.txt written']);
});

test('folders that a deletion has emptied go, others stay', async () => {
  await using one = await bench({ 'a/b/c.js': '1', 'a/keep.js': '1' });
  await one.build({ 'a/b/c.js': null });
  await one.land();
  expect(await readdir(join(one.workspace, 'a'))).toEqual(['keep.js']);
});

describe('permissions', () => {
  test('of a file stay as the user set them', async () => {
    await using one = await bench({ 'a.txt': '1' });
    await chmod(join(one.workspace, 'a.txt'), 0o600);
    await one.build({ 'a.txt': '2' });
    await one.land();
    expect((await lstat(join(one.workspace, 'a.txt'))).mode & 0o777).toBe(0o600);
  });

  test('that forbid writing are a wish: the file waits', async () => {
    await using one = await bench({ 'a.txt': '1' });
    await chmod(join(one.workspace, 'a.txt'), 0o444);
    await one.build({ 'a.txt': '2' });
    expect(await one.land()).toEqual(['a.txt waits: the file is read-only']);
  });
});

test('a repository inside the workspace is not landed in', async () => {
  await using one = await bench({ 'vendor/lib/.git/HEAD': 'ref: refs/heads/main\n', 'vendor/lib/a.js': '1' });
  await one.build({ 'vendor/lib/b.js': '2' });
  expect(await one.land()).toEqual(['vendor/lib/b.js waits: vendor/lib is a repository of its own']);
});

test('what the user saves while it lands is merged, not overwritten', async () => {
  let saved = false;
  let workspace = '';
  await using one = await bench({ 'a.txt': '1\n2\n3\n' }, (fileSystem) => ({
    ...fileSystem,
    writeFile: async (path, bytes, mode) => {
      await fileSystem.writeFile(path, bytes, mode);
      if (saved || !path.includes('.swarmwright-')) return;
      saved = true;
      await writeFile(join(workspace, 'a.txt'), 'one\n2\n3\n');
    },
  }));
  ({ workspace } = one);
  await one.build({ 'a.txt': '1\n2\nthree\n' });
  expect(await one.land()).toEqual(['a.txt merged']);
  expect(await read(workspace, 'a.txt')).toBe('one\n2\nthree\n');
});

test('the user may take the built side; what the file held is kept beside the run', async () => {
  await using one = await bench({ 'a.txt': '1\n' });
  await one.build({ 'a.txt': 'one\n' });
  await write(one.workspace, { 'a.txt': 'uno\n' });
  await one.land();
  expect(await one.take('a.txt')).toEqual(['a.txt written']);
  expect(await read(one.workspace, 'a.txt')).toBe('one\n');
  const [content = ''] = await readdir(one.replaced);
  expect(await read(one.replaced, content, 'a.txt')).toBe('uno\n');
});

test('a file whose name is as long as a name can be is replaced, and kept', async () => {
  const long = 'n'.repeat(255);
  await using one = await bench({ [long]: '1\n' });
  await one.build({ [long]: '2\n' });
  expect(await one.land()).toEqual([`${long} written`]);
  const [content = ''] = await readdir(one.replaced);
  expect(await read(one.replaced, content, long)).toBe('1\n');
});

test('a path that does not land is named, and nothing lands', async () => {
  await using one = await bench({ 'a.txt': '1\n' });
  await one.build({ 'a.txt': 'one\n' });
  await expect(one.take('./a.txt')).rejects.toMatchObject({ code: 'unknown-path' });
  expect(await read(one.workspace, 'a.txt')).toBe('1\n');
});

test('notes of the agents stay in the store when the user wants them there', async () => {
  await using one = await bench({});
  await one.build({ 'design/row-format.md': '1', 'field-guide/index.md': '1', 'src/a.js': '1' });
  expect(await one.landWithoutNotes()).toEqual(['src/a.js written']);
  expect(await readdir(one.workspace)).toEqual(['src']);
});

test('nothing is written through a link that stands in the place of a folder', async () => {
  await using one = await bench({ 'src/a.js': '1' });
  await using elsewhere = await bench({});
  await one.build({ 'src/a.js': '2' });
  await rm(join(one.workspace, 'src'), { recursive: true });
  await symlink(elsewhere.workspace, join(one.workspace, 'src'));
  expect(await one.land()).toEqual(['src/a.js waits: the folder src is a symbolic link']);
  expect(await readdir(elsewhere.workspace)).toEqual([]);
});
