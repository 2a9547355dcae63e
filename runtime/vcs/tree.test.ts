import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileEntry } from '#protocol/change-sets.ts';
import { sha256 } from './hash.ts';
import { comparePaths } from './paths.ts';
import {
  changedPaths,
  emptyFolder,
  entryAt,
  folderAt,
  hashFolder,
  sameEntry,
  updateTree,
  walkTree,
  type Folder,
} from './tree.ts';

/** No path here is a folder of another. */
const paths = ['a', 'a-', 'a.b', 'b/a', 'b/c/d', 'b/c/e', 'b/c-d', 'b.c/x', 'c/d/e/f', 'd0', 'd/x', 'ä'];
const entries = ['1', '2', '3'].map((text): FileEntry => ({ hash: sha256(text), mode: 'file', size: 1 }));
const update = fc
  .dictionary(fc.constantFrom(...paths), fc.option(fc.constantFrom(...entries), { nil: undefined }))
  .map((changes) => Object.entries(changes).toSorted(([left], [right]) => comparePaths(left, right)));

describe('a persistent tree', () => {
  it('holds what a map holds, in the order of paths, and older trees stay', () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 8 }), (updates) => {
        let tree: Folder = emptyFolder;
        const plain = new Map<string, FileEntry>();
        const seen: [Folder, [string, FileEntry][]][] = [];
        for (const changes of updates) {
          tree = updateTree(tree, changes);
          for (const [path, entry] of changes) {
            if (entry === undefined) plain.delete(path);
            else plain.set(path, entry);
          }
          seen.push([tree, [...plain].toSorted(([left], [right]) => comparePaths(left, right))]);
        }
        for (const [then, files] of seen) {
          expect([...walkTree(then, '')]).toEqual(files);
          for (const path of paths) expect(entryAt(then, path)).toEqual(new Map(files).get(path));
        }
        for (const [older, olderFiles] of seen) {
          const [before, now] = [new Map(olderFiles), plain];
          const expected = paths.filter((path) => !sameEntry(before.get(path), now.get(path)));
          expect(changedPaths(older, tree)).toEqual(expected.toSorted(comparePaths));
          expect(hashFolder(older) === hashFolder(tree)).toBe(expected.length === 0);
        }
      }),
    );
  });

  it('shares the folders that an update leaves alone', () => {
    const [one, two] = entries;
    const before = updateTree(emptyFolder, [
      ['a/b/x', one],
      ['c/d/x', one],
    ]);
    const after = updateTree(before, [['a/b/x', two]]);
    expect(folderAt(after, 'c')).toBe(folderAt(before, 'c'));
    expect(folderAt(after, 'a')).not.toBe(folderAt(before, 'a'));
  });

  it('has no empty folders', () => {
    const full = updateTree(emptyFolder, [['a/b/x', entries[0]]]);
    expect(hashFolder(updateTree(full, [['a/b/x', undefined]]))).toBe(hashFolder(emptyFolder));
  });
});
