import { describe, expect, test } from 'vitest';
import type { Plan, TaskSpec } from '#protocol/tasks.ts';
import { checkPlan, type PlanContext } from './plan-check.ts';

function task(name: string, change: Partial<TaskSpec> = {}): TaskSpec {
  return {
    name,
    role: 'worker',
    goal: `Build ${name}.`,
    scope: [`src/${name}.js`],
    shared: [],
    decides: [],
    acceptance: ['it works'],
    sections: [],
    dependsOn: [],
    ...change,
  };
}

const context: PlanContext = {
  planner: 'root',
  scope: ['**'],
  siblings: [],
  decisions: [],
  claimed: [],
  sections: new Set(['select']),
  tasksLeft: 10,
  maxDepth: 4,
};

function check(tasks: readonly TaskSpec[], change: Partial<PlanContext> = {}): readonly string[] {
  const plan: Plan = { wake: 'all', tasks };
  return checkPlan(plan, { ...context, ...change });
}

test('a plan of tasks that do not meet is accepted', () => {
  expect(check([task('lexer', { sections: ['select'] }), task('parser', { dependsOn: ['lexer'] })])).toEqual(
    [],
  );
});

describe('overlap of paths', () => {
  test('is named with both sides', () => {
    expect(check([task('lexer', { scope: ['src/**'] }), task('parser')])).toEqual([
      'parser and lexer overlap: src/parser.js and src/**; separate them, or declare the path as shared in both',
    ]);
  });

  test('is allowed where both declare the path as shared', () => {
    const shared = { shared: ['src/index.js'] };
    expect(check([task('lexer', shared), task('parser', shared)])).toEqual([]);
  });

  test('is refused where only one declares it', () => {
    expect(check([task('lexer', { shared: ['src/parser.js'] }), task('parser')])).toHaveLength(1);
  });

  test('is allowed between tasks that a dependency orders, over any number of steps', () => {
    const middle = task('middle', { dependsOn: ['lexer'] });
    const last = task('last', { scope: ['src/lexer.js'], dependsOn: ['middle'] });
    expect(check([task('lexer'), middle, last])).toEqual([]);
  });

  test('counts for tasks of earlier plans that are not terminal', () => {
    const siblings = [
      { spec: task('old', { scope: ['src/new.js'] }), terminal: false },
      { spec: task('done', { scope: ['src/new.js'] }), terminal: true },
    ];
    expect(check([task('new')], { siblings })).toHaveLength(1);
  });
});

describe('questions', () => {
  test('that two siblings decide send the plan back', () => {
    const decides = ['row-format'];
    expect(check([task('a', { decides }), task('b', { decides })])).toEqual([
      "b and a both decide 'row-format'; decide it yourself or give it to one",
    ]);
  });

  test('that are decided already name the decision', () => {
    const decision = { question: 'row-format', revision: 1, choice: 'arrays', why: 'small', owner: 'root' };
    expect(check([task('a', { decides: ['row-format'] })], { decisions: [decision] })).toEqual([
      "a: 'row-format' is decided already by root: arrays",
    ]);
  });

  test('that another part of the tree was given are refused', () => {
    const claimed = [{ question: 'row-format', task: 'root/storage' }];
    const tasks = [task('a', { decides: ['row-format'] })];
    expect(check(tasks, { claimed, planner: 'root/front' })).toHaveLength(1);
    expect(check(tasks, { claimed, planner: 'root/storage' })).toEqual([]);
  });
});

test('a child stays within the scope of its planner', () => {
  expect(check([task('a', { scope: ['lib/a.js'] })], { scope: ['src/**'] })).toEqual([
    'a: outside your own scope: lib/a.js',
  ]);
});

test('names, patterns, sections and dependencies that do not exist are named', () => {
  const problems = check([
    task('Bad Name'),
    task('a', { scope: ['src/*.js'] }),
    task('b', { sections: ['nowhere'], dependsOn: ['nobody'] }),
    task('b'),
  ]);
  expect(problems.join('\n')).toContain('Bad Name: a name is lower-case');
  expect(problems.join('\n')).toContain("'src/*.js' is no scope");
  expect(problems.join('\n')).toContain("no section 'nowhere'");
  expect(problems.join('\n')).toContain("depends on 'nobody'");
  expect(problems.join('\n')).toContain('b: the name is taken');
});

test('a cycle of dependencies is shown', () => {
  expect(check([task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a'] })])).toEqual([
    'dependencies form a cycle: a -> b -> a',
  ]);
});

test('caps on tasks and depth are checked before anything is made', () => {
  expect(check([task('a'), task('b')], { tasksLeft: 1 })).toHaveLength(1);
  expect(check([task('a')], { maxDepth: 0 })).toHaveLength(1);
  expect(check([task('a', { role: 'planner' })], { maxDepth: 1 })).toEqual([
    "the run's cap on depth leaves no room below a: make them workers",
  ]);
});
