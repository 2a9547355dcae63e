import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import { Checkout } from './checkout.ts';
import { SandboxError } from './errors.ts';
import { MemoryTree } from './tree-for-tests.ts';

type Files = ConstructorParameters<typeof MemoryTree>[0];

const sh = promisify(execFile);
let base: string;
let folder: string;
let checkout: Checkout;

/** What a command does: as the sandbox, it acts between two calls. */
async function command(script: string): Promise<void> {
  await sh('/bin/sh', ['-c', script], { cwd: folder });
}

/** All that is in the checkout: `path mode content`, folders with a '/'. */
async function listing(where: string = folder, prefix = ''): Promise<string[]> {
  const entries = await readdir(where, { withFileTypes: true });
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const path = join(where, entry.name);
      const name = prefix + entry.name;
      const { mode } = await lstat(path);
      if (entry.isDirectory() && (mode & 0o777) !== 0o755) return [`${name}/ closed`];
      if (entry.isDirectory()) return [`${name}/`].concat(await listing(path, `${name}/`));
      if (entry.isSymbolicLink()) return [`${name} -> ${await readlink(path)}`];
      if (!entry.isFile()) return [`${name} special`];
      return [`${name} ${(mode & 0o777).toString(8)} ${await readFile(path, 'latin1')}`];
    }),
  );
  return lists.flat().toSorted();
}

async function bringTo(files: Files): Promise<MemoryTree> {
  const tree = new MemoryTree(files);
  await checkout.bringTo(tree, 'keep');
  return tree;
}

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'checkout-'));
  folder = join(base, 'c1');
  await mkdir(folder);
  await writeFile(join(base, 'outside'), 'untouched');
  checkout = new Checkout(nodeFileSystem, folder);
});
afterEach(async () => {
  if ((await readFile(join(base, 'outside'), 'utf8')) !== 'untouched') throw new Error('written outside');
  await rm(base, { recursive: true });
});

const files: Files = {
  a: '1',
  'd/b': '2',
  'd/e/c': '3',
  run: { content: '#!/bin/sh', mode: 'executable' },
  link: { content: 'd/../a', mode: 'symlink' },
};
const asListed = ['a 644 1', 'd/', 'd/b 644 2', 'd/e/', 'd/e/c 644 3', 'link -> d/../a', 'run 755 #!/bin/sh'];

describe('a checkout', () => {
  it('holds the files of a tree with their modes, byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await bringTo({ ...files, bytes: { content: bytes, mode: 'file' } });
    expect(await readFile(join(folder, 'bytes'))).toEqual(Buffer.from(bytes));
    await rm(join(folder, 'bytes'));
    expect(await listing()).toEqual(asListed);
  });

  it('reads only what differs from before', async () => {
    await bringTo(files);
    const next = await bringTo({ ...files, a: 'other', 'd/new': 'n' });
    expect(next.reads).toBe(2);
    const { ino } = await lstat(join(folder, 'd/b'));
    const back = await bringTo(files);
    expect(back.reads).toBe(1);
    expect(await listing()).toEqual(asListed);
    expect((await lstat(join(folder, 'd/b'))).ino).toBe(ino);
  });

  it('turns files into folders, links and back', async () => {
    await bringTo({ x: '1', 'y/z': '2' });
    await bringTo({ 'x/z': '1', y: { content: 'x', mode: 'symlink' } });
    expect(await listing()).toEqual(['x/', 'x/z 644 1', 'y -> x']);
    await bringTo({ x: '1', 'y/z': '2' });
    expect(await listing()).toEqual(['x 644 1', 'y/', 'y/z 644 2']);
  });

  it.each([
    ['edits', 'echo x > a', ['a']],
    ['edits of the same size in the same moment', 'printf 9 > a', ['a']],
    ['edits with the old times', 'touch -r a t; printf 9 > a; touch -r t a; rm t', ['a']],
    ['rewriting the same bytes', 'cp a t; mv t a; touch d/b', []],
    ['modes', 'chmod -x run; chmod 600 a', ['a', 'run']],
    ['deletions', 'rm -r d link', ['d/b', 'd/e/c', 'link']],
    ['new files and folders', 'mkdir -p n/m; echo x > n/m/x; mkdir empty', ['n/m/x']],
    ['other links', 'ln -sf /etc/passwd link', ['link']],
    ['a link for a file', 'rm a; ln -s ../outside a', ['a']],
    ['a link for a folder', 'rm -r d; ln -s .. d', ['d', 'd/b', 'd/e/c']],
    ['a link for a folder to the same folder', 'mv d z; ln -s z d', ['d', 'd/b', 'd/e/c', 'z/b', 'z/e/c']],
    ['a file for a folder', 'rm -r d; echo x > d', ['d', 'd/b', 'd/e/c']],
    ['a folder for a file', 'rm a; mkdir -p a/b; echo x > a/b/c', ['a']],
    ['a pipe for a file', 'rm a; mkfifo a p', ['a', 'p']],
    ['hard links', 'ln a hard; printf 9 > hard', ['a', 'hard']],
    ['closed folders and files', 'chmod 000 d/b d/e; chmod 500 d', ['d/b']],
    ['a hidden repository', 'mkdir .git; echo x > .git/HEAD', ['.git/HEAD']],
    ['odd names', "echo x > '-rf'; echo x > 'a b\n*'; echo x > ' .. '", [' .. ', '-rf', 'a b\n*']],
  ])('finds and puts back %s', async (_, script, changed) => {
    await bringTo(files);
    await command(script);
    expect(await checkout.changes()).toEqual(changed);
    expect(await checkout.changes()).toEqual(changed);
    await bringTo(files);
    expect(await listing()).toEqual(asListed);
    expect(await checkout.changes()).toEqual([]);
  });

  it('never writes or removes through a link that a command planted', async () => {
    await mkdir(join(base, 'victim/e'), { recursive: true });
    await writeFile(join(base, 'victim/b'), 'safe');
    await writeFile(join(base, 'victim/e/c'), 'safe');
    await bringTo(files);
    await command('rm -r d; ln -s ../victim d; rm a; ln -s ../outside a');
    await bringTo({ ...files, a: 'new', 'd/b': 'new', 'd/e/c': 'new', 'd/f': 'new' });
    await command('rm -r d; ln -s ../victim d');
    await bringTo({ link: 'x' });
    expect(await listing(join(base, 'victim'))).toEqual(['b 644 safe', 'e/', 'e/c 644 safe']);
    expect(await listing()).toEqual(['link 644 x']);
  });

  it('is made again when it is gone, or something else is in its place', async () => {
    await bringTo(files);
    await command('cd ..; rm -r c1');
    await bringTo(files);
    expect(await listing()).toEqual(asListed);
    await rm(folder, { recursive: true });
    await symlink(base, folder);
    await bringTo(files);
    expect((await lstat(folder)).isDirectory()).toBe(true);
    expect(await listing()).toEqual(asListed);
  });

  it('says when a command left a name that it cannot handle, rather than leave it there', async () => {
    await bringTo(files);
    await command(`printf x > "$(printf 'bad\\377name')"`);
    expect(await checkout.changes()).toEqual(['bad\uFFFDname']);
    const error: unknown = await bringTo(files).catch((caught: unknown) => caught);
    expect(SandboxError.is(error, 'checkout')).toBe(true);
  });

  it('names few of very many files, and removes all', async () => {
    await bringTo(files);
    await command('for d in 1 2 3 4 5 6; do mkdir -p new/$d; (cd new/$d; seq 500 | xargs touch); done');
    const changed = await checkout.changes();
    expect(changed.length).toBeLessThan(3001);
    await bringTo(files);
    expect(await listing()).toEqual(asListed);
  });

  it.each(['../x', '/x', 'a/../../x', './x', 'a//x', ''])('refuses the path %j', async (path) => {
    const error: unknown = await bringTo({ [path]: 'x' }).catch((caught: unknown) => caught);
    expect(SandboxError.is(error, 'unsafe-path')).toBe(true);
  });

  it('tells trouble with the disk as such, and mends itself after it', async () => {
    let full = true;
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      writeFile: async (path, bytes, mode) => {
        if (full && path.endsWith('b')) {
          await nodeFileSystem.writeFile(path, bytes.subarray(0, 0), mode);
          throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
        }
        await nodeFileSystem.writeFile(path, bytes, mode);
      },
    };
    checkout = new Checkout(fileSystem, folder);
    const error: unknown = await bringTo(files).catch((caught: unknown) => caught);
    expect(SandboxError.is(error, 'checkout')).toBe(true);
    expect(error).toMatchObject({ details: { code: 'ENOSPC' } });
    full = false;
    await bringTo(files);
    expect(await listing()).toEqual(asListed);
  });

  it('passes on what the tree says when it cannot be read', async () => {
    const tree = new MemoryTree(files);
    const reason = new Error('damaged');
    tree.read = async () => {
      throw reason;
    };
    await expect(checkout.bringTo(tree, 'keep')).rejects.toBe(reason);
  });
});

describe('ignored files', () => {
  const rules: Files = {
    ...files,
    '.gitignore': 'node_modules/\n*.log\n!keep.log\n/build/\n',
    'd/.gitignore': '!important.log\n/cache\n',
    'build/kept.js': 'k',
  };

  it('stay, and are not told', async () => {
    await bringTo(rules);
    await command(
      'mkdir -p node_modules/x build/out d/node_modules d/cache; for f in node_modules/x/i.js build/out/o d/node_modules/y x.log d/y.log d/cache/z; do echo hot > $f; done',
    );
    expect(await checkout.changes()).toEqual([]);
    await bringTo({ ...rules, a: 'other' });
    await command('cat node_modules/x/i.js build/out/o d/node_modules/y x.log d/y.log d/cache/z');
  });

  it('are removed when the caller says so', async () => {
    await bringTo(rules);
    const before = await listing();
    await command('mkdir node_modules; echo x > node_modules/x; echo x > build/x; echo x > x.log');
    await checkout.bringTo(new MemoryTree(rules), 'remove');
    expect(await listing()).toEqual(before);
  });

  it('are as the deepest rule says', async () => {
    await bringTo(rules);
    await command('echo x > keep.log; echo x > d/important.log; mkdir cache; echo x > cache/x');
    expect(await checkout.changes()).toEqual(['cache/x', 'd/important.log', 'keep.log']);
  });

  it('are not those that the tree holds', async () => {
    await bringTo(rules);
    await command('echo x > build/kept.js; echo y > build/made.js');
    expect(await checkout.changes()).toEqual(['build/kept.js']);
    await bringTo(rules);
    expect(await readFile(join(folder, 'build/kept.js'), 'utf8')).toBe('k');
  });

  it('are judged by the rules of the tree, not by those a command wrote', async () => {
    await bringTo(rules);
    await command("echo '*' > .gitignore; echo x > new");
    expect(await checkout.changes()).toEqual(['.gitignore', 'new']);
  });

  it('give way to what the tree holds now', async () => {
    await bringTo(rules);
    await command('mkdir node_modules; ln -s ../outside node_modules/x; ln -s .. d/cache');
    await bringTo({ ...rules, 'node_modules/x': '1', 'd/cache/outside': '2' });
    expect(await readFile(join(folder, 'node_modules/x'), 'utf8')).toBe('1');
    expect(await readFile(join(folder, 'd/cache/outside'), 'utf8')).toBe('2');
  });
});

describe('whatever commands do', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const act = fc.oneof(
    path.map((at) => `mkdir -p ${at}`),
    path.map((at) => `rm -rf ${at}`),
    fc.tuple(path, name).map(([at, text]) => `[ -p ${at} ] || printf ${text} > ${at}`),
    fc.tuple(path, path).map(([from, to]) => `mv ${from} ${to}`),
    fc.tuple(path, path).map(([from, to]) => `ln -s "$PWD/${from}" ${to}`),
    fc.tuple(path, path).map(([from, to]) => `ln ${from} ${to}`),
    path.map((at) => `chmod +x ${at}`),
    path.map((at) => `mkfifo ${at}`),
  );
  const tree = fc
    .uniqueArray(fc.tuple(path, name), { maxLength: 6, selector: ([at]) => at })
    .map((entries) => {
      // A path cannot be a file and a folder.
      const kept = entries.filter(([at]) => !entries.some(([other]) => other.startsWith(`${at}/`)));
      return Object.fromEntries(kept);
    });

  it('the next bring-up leaves exactly the tree', async () => {
    let number = 1;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(tree, fc.array(act, { maxLength: 6 })), { minLength: 1, maxLength: 4 }),
        tree,
        async (rounds, last) => {
          number += 1;
          folder = join(base, `c${number}`);
          await mkdir(folder);
          checkout = new Checkout(nodeFileSystem, folder);
          for (const [wanted, acts] of rounds) {
            await bringTo(wanted);
            expect(await checkout.changes()).toEqual([]);
            await command([...acts, 'true'].map((one) => `(${one}) 2>/dev/null </dev/null`).join('\n'));
          }
          await bringTo(last);
          const expected = new Checkout(nodeFileSystem, join(base, `e${number}`));
          await expected.bringTo(new MemoryTree(last), 'keep');
          expect(await listing()).toEqual(await listing(expected.folder));
        },
      ),
      { numRuns: 20 },
    );
  });
});
