import { expect, test } from 'vitest';

import { parseFirstLine } from '#protocol/first-line.ts';
import type { PlannerContext, ResolverContext } from './context.ts';
import { WorkerBench } from './testing/worker-bench.ts';
import { runToolCall, type Tool } from './tool.ts';
import { plannerTools, resolverTools } from './toolsets.ts';

type Call = readonly [name: string, args?: Readonly<Record<string, unknown>>];

/** `tool -> first line`, which is what playbooks state: a change here is a change of their format (ADR 2). */
function record(lines: string[], name: string, text: string): void {
  const [first = ''] = text.split('\n', 1);
  expect(parseFirstLine(text)).toBeDefined();
  lines.push(`${name} -> ${first}`);
}

async function play(lines: string[], bench: WorkerBench, calls: readonly Call[]): Promise<void> {
  for (const [name, args] of calls) record(lines, name, await bench.call(name, args));
}

async function playOthers<Context>(
  lines: string[],
  tools: readonly Tool<Context>[],
  context: Context,
  calls: readonly Call[],
): Promise<void> {
  for (const [name, args = {}] of calls) {
    const call = { id: '1', name, args: JSON.stringify(args) };
    record(lines, name, (await runToolCall(tools, call, context, new AbortController().signal)).text);
  }
}

const handoff = { status: 'done', summary: 'All of it.', verification: 'unit-tests' };

test('the first lines of all results', async () => {
  const lines: string[] = [];
  const text = 'one\ntwo\nthree\nfour\nfive\n';
  const files = {
    'src/a.js': text,
    'src/b.js': text,
    'with space': 'x',
    link: { mode: 'symlink', content: 'x' },
  } as const;
  const bench = await WorkerBench.open(files, ['src/**']);
  const other = bench.other();
  await play(lines, bench, [
    ['read_file', { path: 'src/a.js' }],
    ['read_file', { path: 'src/a.js', from_line: 2, to_line: 3 }],
    ['read_file', { path: 'with space' }],
    ['read_file', { path: 'link' }],
    ['read_file', { path: 'nowhere' }],
    ['list_files'],
    ['list_files', { folder: 'src' }],
    ['search', { query: 'two' }],
    ['spec_outline'],
    ['spec_read', { section: 'select' }],
    ['spec_read', { section: 'nowhere' }],
    ['spec_search', { query: 'rows' }],
    ['edit_file', { path: 'src/a.js', old: 'one', new: '1' }],
    ['edit_file', { path: 'src/a.js', old: 'zero', new: '0' }],
    ['edit_file', { path: 'src/a.js', old: 'e', new: 'E' }],
    ['write_file', { path: 'src/new.js', content: 'a\nb\n' }],
    ['move_file', { from: 'src/new.js', to: 'src/c.js' }],
    ['delete_file', { path: 'src/c.js' }],
    ['run_command', { command: 'true' }],
    ['submit', { title: 'One' }],
    ['submit', { title: 'Nothing' }],
    ['sync'],
    ['fly'],
    ['sync', { now: true }],
  ]);
  bench.command = { ...bench.command, exitCode: null, ended: 'time-limit', changed: ['a'] };
  await play(lines, bench, [
    ['run_command', { command: 'sleep 9' }],
    ['edit_file', { path: 'with space', old: 'x', new: 'y' }],
    ['submit', { title: 'Outside' }],
    ['submit', { title: 'Outside', breakage_reason: 'The core is wrong.' }],
  ]);
  await play(lines, other, [
    ['edit_file', { path: 'src/a.js', old: 'five', new: '5' }],
    ['submit', { title: 'Merged' }],
    ['edit_file', { path: 'src/a.js', old: 'two', new: '2' }],
    ['submit', { title: 'First' }],
  ]);
  await play(lines, bench, [
    ['edit_file', { path: 'src/a.js', old: 'two', new: 'TWO' }],
    ['sync'],
    ['submit', { title: 'Second' }],
    ['finish', handoff],
  ]);
  await play(lines, other, [['finish', handoff]]);
  other.submit = async () => ({ kind: 'held', parked: 'p', frozen: ['src/a.js'], deadline: 0 });
  await play(lines, other, [['submit', { title: 'Held' }]]);
  await playOthers(lines, plannerTools, planner(other, false), planning);
  await playOthers(lines, plannerTools, planner(other, true), planning);
  await playOthers(lines, resolverTools, resolver(true), [['resolve', { action: 'write', content: 'x' }]]);
  await playOthers(lines, resolverTools, resolver(false), [['resolve', { action: 'delete' }]]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('first-lines.golden.txt');
});

const task = { name: 'a', role: 'worker', goal: 'g', scope: ['a'], acceptance: ['x'] };
const planning: readonly Call[] = [
  ['record_decision', { question: 'row-format', choice: 'arrays', why: 'small' }],
  ['plan', { wake: 'all', tasks: [task] }],
  ['drop_parked', { task: 'root/a', reason: 'replaced' }],
  ['finish', handoff],
];

function planner({ tree, spec }: WorkerBench, refuse: boolean): PlannerContext {
  return {
    tree,
    spec,
    note: () => undefined,
    recordDecision: async (draft) =>
      refuse
        ? { kind: 'rejected', code: 'decided-elsewhere', details: 'root decided it' }
        : { kind: 'recorded', decision: { ...draft, revision: 1, owner: 'root' } },
    plan: async ({ tasks }) =>
      refuse ? { kind: 'rejected', problems: ['a', 'b'] } : { kind: 'accepted', tasks: tasks.length },
    dropParked: async () =>
      refuse ? { kind: 'rejected', code: 'not-parked', details: 'no work' } : { kind: 'dropped' },
    finish: async () =>
      refuse ? { kind: 'rejected', code: 'children-running', details: 'root/a' } : { kind: 'finished' },
  };
}

function resolver(refuse: boolean): ResolverContext {
  return {
    resolve: async () =>
      refuse ? { kind: 'rejected', problems: ['hunk 1 of trunk'] } : { kind: 'accepted' },
  };
}
