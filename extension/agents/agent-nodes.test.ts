import { expect, test } from 'vitest';
import type { RunEventBody } from '#protocol/events.ts';
import {
  begun,
  created,
  ended,
  fold,
  numbered,
  settled,
  slept,
  started,
  tree,
} from '#protocol/projection-samples.ts';
import type { RunProjection } from '#protocol/projection.ts';
import { AgentNodes, pageSize, spendersIn, type AgentNode } from './agent-nodes.ts';

function names(nodes: readonly AgentNode[] | undefined): readonly string[] | undefined {
  return nodes?.map((node) => (node.kind === 'task' ? node.path : `${node.parent} ${node.first}`));
}

function go(state: RunProjection, ...bodies: readonly RunEventBody[]): void {
  for (const event of numbered(bodies, state.version + 1)) state.apply(event);
}

/** A planner with as many workers. */
function wide(count: number): RunProjection {
  const workers = Array.from({ length: count }, (_, index) => created(`root/w${index}`));
  return fold(begun, created('root', 'planner'), started('root'), ...workers);
}

test('what works stands before what waits, and both before what is finished', () => {
  const state = fold(...tree, created('root/c'), started('root/c'), started('root/b'), ended('root/b'));
  const nodes = new AgentNodes(state);
  expect(names(nodes.children(nodes.item('root'), false))).toEqual(['root/c', 'root/a', 'root/b']);
});

test('a task is the same item for as long as the run is shown', () => {
  const state = fold(...tree);
  const nodes = new AgentNodes(state);
  const before = nodes.children(nodes.item('root'), false);
  go(state, started('root/b'));
  expect(nodes.children(nodes.item('root'), false)).toContain(before[0]);
});

test('what is finished can be hidden, a subtree only as a whole', () => {
  const state = fold(
    ...tree,
    started('root/a'),
    started('root/b'),
    ended('root/b'),
    slept('root/a'),
    ended('root/a'),
  );
  const nodes = new AgentNodes(state);
  expect(names(nodes.children(nodes.item('root'), true))).toEqual(['root/a']);
  go(state, started('root/a/x'), ended('root/a/x'));
  expect(names(nodes.children(nodes.item('root'), true))).toEqual([]);
});

test('an event makes its task new, and nothing else', () => {
  const state = fold(...tree, started('root/b'));
  const nodes = new AgentNodes(state);
  nodes.changes();
  nodes.children(nodes.item('root'), false);
  go(state, { type: 'vcs.rejected', position: 2, task: 'root/b', code: 'scope', details: '' });
  go(state, {
    type: 'command.ran',
    task: 'root/b',
    command: 'x',
    exitCode: 0,
    milliseconds: 1,
    rerun: false,
  });
  expect(names(nodes.changes())).toEqual(['root/b']);
  expect(nodes.changes()).toEqual([]);
});

test('a task that has another place among its siblings makes their parent new', () => {
  const state = fold(...tree);
  const nodes = new AgentNodes(state);
  nodes.changes();
  nodes.children(nodes.item('root'), false);
  go(state, started('root/b'));
  expect(names(nodes.changes())).toEqual(['root']);
});

test('a task that was never shown is not drawn anew', () => {
  const state = fold(...tree);
  const nodes = new AgentNodes(state);
  nodes.changes();
  nodes.roots();
  go(state, started('root/a/x'));
  expect(names(nodes.changes())).toEqual([]);
});

test('the first task of a run draws the whole tree', () => {
  const state = fold(begun);
  const nodes = new AgentNodes(state);
  expect(nodes.changes()).toEqual([]);
  go(state, created('root', 'planner'));
  expect(nodes.changes()).toBeUndefined();
});

test('many children come in pages', () => {
  const nodes = new AgentNodes(wide(2 * pageSize + 1));
  const children = nodes.children(nodes.item('root'), false);
  expect(children).toHaveLength(pageSize + 2);
  expect(names(children.slice(pageSize))).toEqual([`root ${pageSize}`, `root ${2 * pageSize}`]);
  const last = children.at(-1);
  expect(last && names(nodes.children(last, false))).toEqual([`root/w${2 * pageSize}`]);
  expect(nodes.parent(nodes.item(`root/w${2 * pageSize}`), false)).toBe(last);
});

test('a call is seen in the spend of all above it', () => {
  const events = numbered([settled('k1', 'root/a/x'), settled('k2', 'root/b')]);
  expect([...spendersIn(events)].toSorted()).toEqual(['root', 'root/a', 'root/a/x', 'root/b']);
});

test('ten thousand tasks are looked through in a few milliseconds', () => {
  const state = wide(10_000);
  const nodes = new AgentNodes(state);
  const start = process.threadCpuUsage();
  nodes.changes();
  nodes.children(nodes.item('root'), true);
  go(state, started('root/w9999'));
  nodes.changes();
  nodes.children(nodes.item('root'), true);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(50);
});
