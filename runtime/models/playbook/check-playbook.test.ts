import { describe, expect, it } from 'vitest';
import { parseFirstLine } from '#protocol/first-line.ts';
import { checkPlaybook } from './check-playbook.ts';
import type { Playbook, PlaybookCall, PlaybookTurn } from './playbook.ts';

const tools = ['plan', 'finish', 'submit', 'resolve', 'write_file', 'record_decision'];

function call(tool: string, args: Readonly<Record<string, unknown>> = {}, expected = ''): PlaybookCall {
  return { tool, args, expect: parseFirstLine(expected) ?? new Map() };
}

function plan(wake: string, ...tasks: readonly Readonly<Record<string, unknown>>[]): PlaybookCall {
  return call('plan', { wake, tasks: tasks.map((task) => Object.assign({ role: 'worker' }, task)) });
}

const finish = call('finish');

/** A playbook of `KEY` -> calls, or calls with barriers. */
function book(
  turns: Readonly<Record<string, readonly PlaybookCall[] | Pick<PlaybookTurn, 'calls' | 'after'>>>,
): Playbook {
  const entries = Object.entries(turns).map(([key, turn], index): [string, PlaybookTurn] => {
    const { calls, after } = 'calls' in turn ? turn : { calls: turn, after: [] };
    return [key, { key, line: index + 1, text: '', after, calls }];
  });
  return { file: 'b.yaml', title: 'B', concurrency: 1, price: null, turns: new Map(entries) };
}

const sound = {
  'planner root 1 1': [plan('all', { name: 'a' }, { name: 'b', depends_on: ['a'] })],
  'planner root 1 2': [finish],
  'worker root/a 1 1': [call('write_file')],
  'worker root/a 1 2': [finish],
  'worker root/b 1 1': { calls: [finish], after: ['root/a committed'] },
  'resolver x.js root/a+root/b 1 1': [call('resolve')],
};

describe('the check of a playbook', () => {
  it('finds nothing in a sound one', () => {
    expect(checkPlaybook(book(sound), tools)).toEqual([]);
  });

  it('takes an unknown tool where nothing is expected of it', () => {
    const refused = call('fix_it', {}, 'outcome=invalid');
    expect(checkPlaybook(book({ 'worker root 1 1': [refused, finish] }), tools)).toEqual([]);
  });

  it('takes a root that is a worker', () => {
    expect(checkPlaybook(book({ 'worker root 1 1': [finish] }), tools)).toEqual([]);
  });

  it.each([
    [
      'an unknown tool',
      { 'worker root 1 1': [call('fix_it'), finish] },
      [
        `b.yaml:1: turn 'worker root 1 1' calls 'fix_it', which is not a tool: use one of ${tools.join(', ')}`,
      ],
    ],
    [
      'a barrier on a task of no plan',
      { 'worker root 1 1': { calls: [finish], after: ['root/c ended'] } },
      ["b.yaml:1: turn 'worker root 1 1' waits for 'root/c ended', but no plan has that task"],
    ],
    [
      'a gap between turns',
      { 'worker root 1 1': [call('submit')], 'worker root 1 4': [finish] },
      ["b.yaml: turn 'worker root 1 2' is missing", "b.yaml: turn 'worker root 1 3' is missing"],
    ],
    [
      'an agent that does not finish',
      { 'worker root 1 1': [call('submit')] },
      ["b.yaml: turn 'worker root 1 2' is missing"],
    ],
    [
      'a resolver that does not resolve',
      { ...sound, 'resolver x.js root/a+root/b 1 1': [] },
      ["b.yaml: turn 'resolver x.js root/a+root/b 1 2' is missing"],
    ],
    [
      'a second attempt without a first',
      { ...sound, 'worker root/b 1 1': [finish], 'worker root/b 3 1': [finish] },
      ["b.yaml: turn 'worker root/b 2 1' is missing"],
    ],
    [
      'a planned task without turns',
      { 'planner root 1 1': [plan('each', { name: 'a', role: 'planner' })], 'planner root 1 2': [finish] },
      ["b.yaml: turn 'planner root/a 1 1' is missing: 'planner root 1 1' plans root/a as a planner"],
    ],
    [
      'turns of a task that no plan has',
      { ...sound, 'worker root/c 1 1': [finish], 'resolver x.js root/a+root/d 1 1': [call('resolve')] },
      [
        "b.yaml:7: turn 'worker root/c 1 1' is unused: no plan has the task root/c",
        "b.yaml:8: turn 'resolver x.js root/a+root/d 1 1' is unused: no plan has the task root/d",
      ],
    ],
    [
      'turns of a role that the task does not have',
      { ...sound, 'planner root/a 1 1': [finish] },
      ["b.yaml:7: turn 'planner root/a 1 1' is unused: 'planner root 1 1' plans root/a as a worker"],
    ],
    [
      'turns of both roles for the root',
      { 'planner root 1 1': [finish], 'worker root 1 1': [finish] },
      ['planner', 'worker'].map(
        (role, index) =>
          `b.yaml:${index + 1}: turn '${role} root 1 1' is unused: the root has turns of both roles, and a run plays one of them`,
      ),
    ],
    [
      'tasks of a plan that is to be rejected',
      {
        'planner root 1 1': [call('plan', { tasks: [{ name: 'a' }] }, 'outcome=rejected problems=1')],
        'planner root 1 2': [finish],
        'worker root/a 1 1': [finish],
      },
      ["b.yaml:3: turn 'worker root/a 1 1' is unused: no plan has the task root/a"],
    ],
  ])('names %s', (_, turns, findings) => {
    expect(checkPlaybook(book(turns), tools)).toEqual(findings);
  });

  it.each([
    [
      'a plan that waits for its own child',
      {
        ...sound,
        'planner root 1 1': {
          calls: sound['planner root 1 1'],
          after: ['root/a started'],
        },
      },
      "turn 'planner root 1 1' <- root/a started <- turn 'planner root 1 1'",
    ],
    [
      'two workers that wait for each other',
      {
        'planner root 1 1': [plan('each', { name: 'a' }, { name: 'b' })],
        'planner root 1 2': [finish],
        'worker root/a 1 1': { calls: [finish], after: ['root/b ended'] },
        'worker root/b 1 1': { calls: [finish], after: ['root/a committed'] },
      },
      "turn 'worker root/a 1 1' <- root/b ended <- turn 'worker root/b 1 1' <- root/a committed <- turn 'worker root/a 1 1'",
    ],
    [
      'a child that waits for the planner that sleeps for it',
      {
        'planner root 1 1': [plan('all', { name: 'a' })],
        'planner root 1 2': [finish],
        'worker root/a 1 1': { calls: [finish], after: ['root ended'] },
      },
      "turn 'planner root 1 2' <- root/a ended <- turn 'worker root/a 1 1' <- root ended <- turn 'planner root 1 2'",
    ],
    [
      'a dependency that waits for its dependant',
      { ...sound, 'worker root/a 1 1': { calls: [], after: ['root/b started'] } },
      'root/b started',
    ],
  ])('names the deadlock of %s', (_, turns, cycle) => {
    expect(checkPlaybook(book(turns), tools).join('\n')).toContain(cycle);
  });

  it('takes waiting that a run can fulfil for none', () => {
    const turns = {
      ...sound,
      'planner root 1 1': [plan('each', { name: 'a' }, { name: 'b' })],
      'worker root/a 1 2': { calls: [finish], after: ['root/b committed'] },
      'worker root/b 1 1': { calls: [call('submit')], after: ['root/a started'] },
      'worker root/b 1 2': { calls: [finish], after: ['root/a ended'] },
    };
    expect(checkPlaybook(book(turns), tools)).toEqual([]);
  });
});
