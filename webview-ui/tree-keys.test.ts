import { describe, expect, it } from 'vitest';
import { fold, tree } from '#protocol/projection-samples.ts';
import { Expansion, taskRows, type TaskRow } from './task-rows.ts';
import { rowOf, treeStep, typedAhead } from './tree-keys.ts';

const rowsWith = (...byUser: readonly (readonly [string, boolean])[]): readonly TaskRow[] =>
  taskRows(fold(...tree), new Expansion(byUser), { hideFinished: false, text: '' });

// root, root/b, root/a, root/a/x
const open = rowsWith();
const closed = rowsWith(['root/a', false]);

describe('keys in the tree', () => {
  it('go up and down, and stop at the ends', () => {
    expect(treeStep('ArrowDown', open, 0, 10)).toEqual({ kind: 'go', index: 1 });
    expect(treeStep('ArrowDown', open, 3, 10)).toEqual({ kind: 'go', index: 3 });
    expect(treeStep('ArrowUp', open, 0, 10)).toEqual({ kind: 'go', index: 0 });
    expect(treeStep('End', open, 0, 10)).toEqual({ kind: 'go', index: 3 });
    expect(treeStep('Home', open, 3, 10)).toEqual({ kind: 'go', index: 0 });
    expect(treeStep('PageDown', open, 0, 2)).toEqual({ kind: 'go', index: 2 });
    expect(treeStep('PageUp', open, 3, 2)).toEqual({ kind: 'go', index: 1 });
  });

  it('right opens what is closed, and then goes to the first child', () => {
    expect(treeStep('ArrowRight', closed, 2, 10)).toEqual({ kind: 'open', paths: ['root/a'] });
    expect(treeStep('ArrowRight', open, 2, 10)).toEqual({ kind: 'go', index: 3 });
    expect(treeStep('ArrowRight', open, 3, 10)).toBeUndefined();
  });

  it('left closes what is open, and then goes to the parent', () => {
    expect(treeStep('ArrowLeft', open, 2, 10)).toEqual({ kind: 'close', paths: ['root/a'] });
    expect(treeStep('ArrowLeft', open, 3, 10)).toEqual({ kind: 'go', index: 2 });
    expect(treeStep('ArrowLeft', closed, 2, 10)).toEqual({ kind: 'go', index: 0 });
    expect(treeStep('ArrowLeft', rowsWith(['root', false]), 0, 10)).toBeUndefined();
  });

  it('the asterisk opens all siblings', () => {
    expect(treeStep('*', closed, 1, 10)).toEqual({ kind: 'open', paths: ['root/a'] });
  });

  it('do nothing in an empty tree, and leave other keys alone', () => {
    expect(treeStep('ArrowDown', [], 0, 10)).toBeUndefined();
    expect(treeStep('Tab', open, 0, 10)).toBeUndefined();
  });

  it('letters go to the next name that begins with them, and around', () => {
    expect(typedAhead(open, 0, 'a')).toBe(2);
    expect(typedAhead(open, 2, 'B')).toBe(1);
    expect(typedAhead(open, 0, 'ro')).toBe(0);
    expect(typedAhead(open, 0, 'q')).toBeUndefined();
  });
});

describe('the line of a task', () => {
  it('is that of the nearest task above when it is not in the tree', () => {
    expect(rowOf(open, 'root/a/x')).toBe(3);
    expect(rowOf(closed, 'root/a/x')).toBe(2);
    expect(rowOf(open, undefined)).toBe(-1);
  });
});
