import { describe, expect, it } from 'vitest';
import { created, ended, fold, started, tree } from '#protocol/projection-samples.ts';
import { Expansion, taskRows, type TaskFilter } from './task-rows.ts';

const all: TaskFilter = { hideFinished: false, text: '' };
const lines = (...given: Parameters<typeof taskRows>): readonly string[] =>
  taskRows(...given).map(({ node, isOpen }) => {
    const mark = isOpen === undefined ? '' : isOpen ? '-' : '+';
    return `${mark}${node.path}`;
  });

/** root with the worker b and the planner a, which has finished with its worker x. */
const halfDone = [...tree, started('root/a/x'), ended('root/a/x'), ended('root/a')];

describe('the lines of the tree', () => {
  it('are the tasks in the order in which they were planned, with their place among siblings', () => {
    const rows = taskRows(fold(...tree), new Expansion(), all);
    expect(rows.map(({ node, level, position, size }) => [node.path, level, position, size])).toEqual([
      ['root', 1, 1, 1],
      ['root/b', 2, 1, 2],
      ['root/a', 2, 2, 2],
      ['root/a/x', 3, 1, 1],
    ]);
  });

  it('are none before the first task', () => {
    expect(taskRows(fold(), new Expansion(), all)).toEqual([]);
  });

  it('leave finished subtrees closed at first sight', () => {
    expect(lines(fold(...halfDone), new Expansion(), all)).toEqual(['-root', 'root/b', '+root/a']);
  });

  it('do not close what finishes while it is seen', () => {
    const expansion = new Expansion();
    lines(fold(...tree), expansion, all);
    expect(lines(fold(...halfDone), expansion, all)).toEqual(['-root', 'root/b', '-root/a', 'root/a/x']);
  });

  it('stay as the user has opened and closed them', () => {
    const expansion = new Expansion([['root/a', true]]);
    expect(lines(fold(...halfDone), expansion, all)).toContain('root/a/x');
    expansion.set('root', false);
    expect(lines(fold(...halfDone), expansion, all)).toEqual(['+root']);
    const again = new Expansion(expansion.known);
    expect(lines(fold(...halfDone), again, all)).toEqual(['+root']);
    again.set('root', true);
    expect(lines(fold(...halfDone), again, all)).toContain('root/a/x');
  });

  it('come into sight for a task that is gone to', () => {
    const expansion = new Expansion([['root', false]]);
    expansion.reveal('root/a/x');
    expect(lines(fold(...halfDone), expansion, all)).toContain('root/a/x');
  });

  it('begin with the root open, also when all is finished', () => {
    const finished = [...halfDone, started('root/b'), ended('root/b'), ended('root')];
    expect(lines(fold(...finished), new Expansion(), all)).toEqual(['-root', 'root/b', '+root/a']);
  });

  it('without what is finished keep a finished planner with work below', () => {
    const state = fold(...tree, started('root/b'), ended('root/b'), ended('root/a'));
    const rows = lines(state, new Expansion(), { hideFinished: true, text: '' });
    expect(rows).toEqual(['-root', '-root/a', 'root/a/x']);
  });

  it('that a text is looked for in are open down to where it occurs, and have the sizes of what is shown', () => {
    const expansion = new Expansion([['root/a', false]]);
    const rows = taskRows(fold(...tree), expansion, { hideFinished: false, text: ' DO  X ' });
    expect(rows.map(({ node, size }) => [node.path, size])).toEqual([
      ['root', 1],
      ['root/a', 1],
      ['root/a/x', 1],
    ]);
    expect(lines(fold(...tree), expansion, { hideFinished: false, text: 'nothing like it' })).toEqual([]);
    expect(lines(fold(...tree), expansion, all)).toEqual(['-root', 'root/b', '+root/a']);
  });

  it('of 10,000 tasks are made in a moment', () => {
    const state = fold(...tree, ...Array.from({ length: 10_000 }, (_, index) => created(`root/a/w${index}`)));
    const begin = performance.now();
    const rows = taskRows(state, new Expansion(), { hideFinished: true, text: 'w9' });
    expect(rows.length).toBe(1113);
    expect(performance.now() - begin).toBeLessThan(250);
  });
});
