import { expect, test } from 'vitest';
import type { TaskChange } from '#protocol/runtime-api.ts';
import { fileChanges } from './task-changes.ts';

function bytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}

function change(path: string, commit: string, before?: string, after?: string): TaskChange {
  return { path, commit, before: bytes(before), after: bytes(after) };
}

function told(changes: readonly TaskChange[]): readonly string[] {
  return fileChanges(changes).map(({ path, first, last }) => `${path} ${first.commit}-${last.commit}`);
}

test('commits to one file are one change of it', () => {
  expect(
    told([change('a', '1', undefined, 'x'), change('b', '1', '', 'x'), change('a', '2', 'x', 'y')]),
  ).toEqual(['a 1-2', 'b 1-1']);
});

test("what others did between two commits is not shown as the task's", () => {
  expect(told([change('a', '1', 'w', 'x'), change('a', '3', 'x and theirs', 'y')])).toEqual([
    'a 1-1',
    'a 3-3',
  ]);
});

test('what was taken back is no change', () => {
  expect(told([change('a', '1', undefined, 'x'), change('a', '2', 'x')])).toEqual([]);
});
