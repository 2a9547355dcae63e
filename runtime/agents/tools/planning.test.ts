import { expect, test } from 'vitest';

import type { FileTree } from '#protocol/file-tree.ts';
import type { Handoff, Plan } from '#protocol/tasks.ts';
import type { Specification } from '#spec/specification.ts';
import type { DecisionDraft, PlannerContext, Resolution, ResolverContext } from './context.ts';
import { WorkerBench } from './testing/worker-bench.ts';
import { runToolCall, type Tool, type ToolResult } from './tool.ts';
import { plannerTools, resolverTools } from './toolsets.ts';

/** Answers as it is told, and keeps what it was asked. */
class Planner implements PlannerContext {
  readonly tree: FileTree;
  readonly spec: Specification;
  refuse = false;
  readonly asked: (DecisionDraft | Handoff | Plan)[] = [];

  constructor({ tree, spec }: WorkerBench) {
    this.tree = tree;
    this.spec = spec;
  }

  static async open(): Promise<Planner> {
    return new Planner(await WorkerBench.open({}));
  }

  note(): undefined {
    return undefined;
  }

  recordDecision: PlannerContext['recordDecision'] = async (draft) => {
    this.asked.push(draft);
    if (this.refuse)
      return { kind: 'rejected', code: 'decided-elsewhere', details: 'root decided it as null@1' };
    return { kind: 'recorded', decision: { ...draft, revision: 1, owner: 'root' } };
  };

  plan: PlannerContext['plan'] = async (plan) => {
    this.asked.push(plan);
    if (this.refuse) return { kind: 'rejected', problems: ['a and b overlap: src/x', 'b: no such section'] };
    return { kind: 'accepted', tasks: plan.tasks.length };
  };

  dropParked: PlannerContext['dropParked'] = async () => ({ kind: 'dropped' });

  finish: PlannerContext['finish'] = async (handoff) => {
    this.asked.push(handoff);
    if (this.refuse) return { kind: 'rejected', code: 'children-running', details: 'root/a is running' };
    return { kind: 'finished' };
  };
}

async function call<Context>(
  tools: readonly Tool<Context>[],
  context: NoInfer<Context>,
  name: string,
  args: object,
): Promise<ToolResult> {
  const made = { id: '1', name, args: JSON.stringify(args) };
  return runToolCall(tools, made, context, new AbortController().signal);
}

async function callPlanner(planner: Planner, name: string, args: object): Promise<ToolResult> {
  return call(plannerTools, planner, name, args);
}

const lexer = {
  name: 'lexer',
  role: 'worker',
  goal: 'Tokens of the statements.',
  scope: ['src/lexer.js'],
  acceptance: ['Every token of section 2 is there.'],
};

test('a plan is handed on with what it leaves out filled in', async () => {
  const planner = await Planner.open();
  const tasks = [lexer, { ...lexer, name: 'parser', shared: ['src/index.js'], depends_on: ['lexer'] }];
  expect(await callPlanner(planner, 'plan', { wake: 'all', tasks })).toEqual({
    text: 'outcome=accepted tasks=2',
  });
  const rest = { shared: [], decides: [], sections: [], dependsOn: [] };
  expect(planner.asked).toEqual([
    {
      wake: 'all',
      tasks: [
        { ...lexer, ...rest },
        { ...lexer, ...rest, name: 'parser', shared: ['src/index.js'], dependsOn: ['lexer'] },
      ],
    },
  ]);
});

test('a plan that clashes comes back with every problem', async () => {
  const planner = await Planner.open();
  planner.refuse = true;
  expect((await callPlanner(planner, 'plan', { wake: 'each', tasks: [lexer] })).text).toBe(
    'outcome=rejected problems=2\n- a and b overlap: src/x\n- b: no such section\n' +
      'Nothing was started. Send the whole plan again.',
  );
});

test('a plan that does not fit names the place', async () => {
  const planner = await Planner.open();
  const tasks = [lexer, { ...lexer, name: 'The Parser', role: 'tester', acceptance: [] }];
  const { text } = await callPlanner(planner, 'plan', { wake: 'all', tasks });
  expect(text).toMatch(/^outcome=invalid /);
  expect(text).toContain('tasks.1.name: wanted lower-case letters');
  expect(text).toContain('tasks.1.role: ');
  expect(text).toContain('tasks.1.acceptance: ');
  expect(planner.asked).toEqual([]);
});

test('a decision is recorded under its revision, or refused with the answer that is there', async () => {
  const planner = await Planner.open();
  const draft = { question: 'null', choice: 'null', why: 'One representation.' };
  expect((await callPlanner(planner, 'record_decision', draft)).text).toBe(
    'outcome=recorded decision=null@1',
  );
  planner.refuse = true;
  expect((await callPlanner(planner, 'record_decision', draft)).text).toBe(
    'outcome=rejected code=decided-elsewhere\nroot decided it as null@1',
  );
  expect((await callPlanner(planner, 'record_decision', { ...draft, question: 'What?' })).text).toMatch(
    /^outcome=invalid .*question: wanted/,
  );
});

test('a planner finishes with a handoff, unless tasks of it still run', async () => {
  const planner = await Planner.open();
  const handoff = { status: 'partial', summary: 'Most of it.', verification: 'not-verified' };
  expect(await callPlanner(planner, 'finish', handoff)).toEqual({
    text: 'outcome=finished submitted=nothing',
    ends: true,
  });
  planner.refuse = true;
  expect(await callPlanner(planner, 'finish', handoff)).toEqual({
    text: 'outcome=rejected code=children-running\nroot/a is running',
  });
});

test('a planner that tries to write is told what it has', async () => {
  const { text } = await callPlanner(await Planner.open(), 'write_file', { path: 'a', content: 'x' });
  expect(text).toMatch(/^outcome=invalid problem="no tool write_file; there are read_file, list_files, /);
});

test('a resolver answers with the whole file or a deletion, until the answer is accepted', async () => {
  const asked: Resolution[] = [];
  const answers: Awaited<ReturnType<ResolverContext['resolve']>>[] = [
    { kind: 'rejected', problems: ['hunk 2 of trunk is neither kept nor waived'] },
    { kind: 'accepted' },
    { kind: 'accepted' },
  ];
  const context: ResolverContext = {
    resolve: async (resolution) => {
      asked.push(resolution);
      return answers[asked.length - 1] ?? { kind: 'accepted' };
    },
  };
  const waivers = [{ side: 'trunk', hunk: 2, reason: 'Both add the same line.' }];
  expect(await call(resolverTools, context, 'resolve', { action: 'write', content: 'x\n' })).toEqual({
    text: 'outcome=rejected problems=1\n- hunk 2 of trunk is neither kept nor waived',
  });
  expect(await call(resolverTools, context, 'resolve', { action: 'write', content: 'x\n', waivers })).toEqual(
    {
      text: 'outcome=accepted',
      ends: true,
    },
  );
  await call(resolverTools, context, 'resolve', { action: 'delete', waivers });
  expect(asked).toEqual([
    { action: 'write', content: 'x\n', waivers: [] },
    { action: 'write', content: 'x\n', waivers },
    { action: 'delete', waivers },
  ]);
});

test('an answer without the file it is to write, or with one it is to delete, is none', async () => {
  const context: ResolverContext = { resolve: async () => ({ kind: 'accepted' }) };
  expect((await call(resolverTools, context, 'resolve', { action: 'write' })).text).toMatch(
    /^outcome=invalid/,
  );
  expect((await call(resolverTools, context, 'resolve', { action: 'delete', content: 'x' })).text).toMatch(
    /^outcome=invalid/,
  );
});
