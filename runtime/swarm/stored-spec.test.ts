import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { openSpecification } from '#spec/open-specification.ts';
import { storedSpecPath, writeStoredSpec } from './stored-spec.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swarmwright-stored-spec-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A specification in a folder, and much that is none. */
async function writeSpec(): Promise<string> {
  const spec = join(folder, 'words');
  for (const path of ['deep', '.hidden', 'node_modules', 'docs.md']) {
    await mkdir(join(spec, path), { recursive: true });
    await writeFile(join(spec, path, 'inside.md'), `# Inside ${path}\n`);
  }
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'elsewhere.md'), '# Linked\n');
  await symlink('../elsewhere', join(spec, 'linked-folder.md'));
  await symlink('../elsewhere.md', join(spec, 'linked.md'));
  await writeFile(join(spec, '.draft.md'), '# Draft\n');
  await writeFile(join(spec, '1-words.md'), '# Words\n\nSay hello.\n');
  await writeFile(join(spec, 'notes.pdf'), '%PDF');
  await writeFile(join(spec, 'page.html'), '<title>A page</title><h1>Page</h1><p>Sag hallo.');
  return spec;
}

test('of a folder, the documents are stored that a specification is read from', async () => {
  const spec = await writeSpec();
  const store = join(folder, 'store');
  await writeStoredSpec(spec, store, nodeFileSystem);
  const stored = storedSpecPath(spec, store);
  const entries = await readdir(stored, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  expect(
    files.map(({ name, parentPath }) => join(parentPath, name).slice(stored.length + 1)).toSorted(),
  ).toEqual(['1-words.md', 'deep/inside.md', 'docs.md/inside.md', 'linked.md', 'page.html']);
  expect(files.every((file) => file.isFile())).toBe(true);
  const [original, copy] = [
    await openSpecification(spec, nodeFileSystem),
    await openSpecification(stored, nodeFileSystem),
  ];
  expect(copy.outline).toEqual(original.outline);
  expect(copy.title).toBe(original.title);
});

test('a specification of one file is stored under its name, byte by byte', async () => {
  const spec = join(folder, 'Words.TXT');
  await writeFile(spec, '\u{feff}Words\r\n\r\nSay hello.');
  await writeStoredSpec(spec, join(folder, 'store'), nodeFileSystem);
  const stored = storedSpecPath(spec, join(folder, 'store'));
  const read = await Promise.all([spec, stored].map(async (path) => nodeFileSystem.readFile(path)));
  expect(read[1]).toEqual(read[0]);
});

test('a page is stored as it is, in whatever encoding it names', async () => {
  const spec = join(folder, 'page.htm');
  await writeFile(
    spec,
    Buffer.from('<meta charset="windows-1252"><h1>Gr\u00F6\u00DFe</h1><p>Sag hallo.', 'latin1'),
  );
  const store = join(folder, 'store');
  await writeStoredSpec(spec, store, nodeFileSystem);
  const stored = storedSpecPath(spec, store);
  const read = await Promise.all([spec, stored].map(async (path) => nodeFileSystem.readFile(path)));
  expect(read[1]).toEqual(read[0]);
  expect((await openSpecification(stored, nodeFileSystem)).title).toBe('Gr\u00F6\u00DFe');
});
