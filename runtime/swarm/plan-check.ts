import { contains, isScopePattern, overlaps } from '#protocol/scopes.ts';
import {
  isWithinTask,
  taskDepth,
  type Decision,
  type Plan,
  type TaskPath,
  type TaskSpec,
} from '#protocol/tasks.ts';

/** What a plan is checked against. */
export interface PlanContext {
  readonly planner: TaskPath;
  /** The planner's own scope and shared paths: its children's lie within them. */
  readonly scope: readonly string[];
  /** Children of earlier plans that are not terminal, and those that are: names stay taken. */
  readonly siblings: readonly { readonly spec: TaskSpec; readonly terminal: boolean }[];
  readonly decisions: readonly Decision[];
  /** Questions that other tasks of the tree may decide. */
  readonly claimed: readonly { readonly question: string; readonly task: TaskPath }[];
  /** Ids of the spec's sections. */
  readonly sections: ReadonlySet<string>;
  readonly tasksLeft: number;
  readonly maxDepth: number;
}

const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function nameProblems(tasks: readonly TaskSpec[], context: PlanContext): string[] {
  const taken = new Set(context.siblings.map((sibling) => sibling.spec.name));
  return tasks.flatMap((task) => {
    if (!namePattern.test(task.name)) {
      return [`${task.name}: a name is lower-case letters, digits and dashes`];
    }
    if (taken.has(task.name)) return [`${task.name}: the name is taken; choose another`];
    taken.add(task.name);
    return [];
  });
}

function scopeProblems(task: TaskSpec, context: PlanContext): string[] {
  const own = [...task.scope, ...task.shared];
  const problems = own
    .filter((pattern) => !isScopePattern(pattern))
    .map((pattern) => `${task.name}: '${pattern}' is no scope; write a path, FOLDER/** or **`);
  const outside = own.filter(
    (pattern) => isScopePattern(pattern) && !context.scope.some((outer) => contains(outer, pattern)),
  );
  if (outside.length > 0) {
    problems.push(`${task.name}: outside your own scope: ${outside.join(', ')}`);
  }
  if (task.role === 'worker' && own.length === 0) problems.push(`${task.name}: a worker needs a scope`);
  return problems;
}

/** Paths of two siblings may overlap only where both declare them as shared. */
function overlapProblems(task: TaskSpec, others: readonly TaskSpec[]): string[] {
  const problems: string[] = [];
  for (const other of others) {
    const clashes = [
      ...task.scope.flatMap((mine) =>
        [...other.scope, ...other.shared]
          .filter((theirs) => overlaps(mine, theirs))
          .map((theirs) => [mine, theirs]),
      ),
      ...task.shared.flatMap((mine) =>
        other.scope.filter((theirs) => overlaps(mine, theirs)).map((theirs) => [mine, theirs]),
      ),
    ];
    for (const [mine, theirs] of clashes) {
      problems.push(
        `${task.name} and ${other.name} overlap: ${mine} and ${theirs}; separate them, or declare the path as shared in both`,
      );
    }
  }
  return problems;
}

function questionProblems(
  task: TaskSpec,
  path: TaskPath,
  others: readonly TaskSpec[],
  context: PlanContext,
): string[] {
  return task.decides.flatMap((question) => {
    if (!namePattern.test(question))
      return [`${task.name}: question '${question}' must be words joined by dashes`];
    const sibling = others.find((other) => other.decides.includes(question));
    if (sibling)
      return [
        `${task.name} and ${sibling.name} both decide '${question}'; decide it yourself or give it to one`,
      ];
    const decided = context.decisions.find((decision) => decision.question === question);
    if (decided) {
      return [`${task.name}: '${question}' is decided already by ${decided.owner}: ${decided.choice}`];
    }
    const claim = context.claimed.find(
      (one) => one.question === question && !isWithinTask(path, one.task) && !isWithinTask(one.task, path),
    );
    return claim ? [`${task.name}: '${question}' is ${claim.task}'s to decide`] : [];
  });
}

/** Names along a cycle of dependencies, if there is one. */
function dependencyCycle(tasks: readonly TaskSpec[]): readonly string[] | undefined {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of byName.get(name)?.dependsOn ?? []) {
      const cycle = visit(next, [...trail, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const task of tasks) {
    const cycle = visit(task.name, []);
    if (cycle) return cycle;
  }
  return undefined;
}

function referenceProblems(tasks: readonly TaskSpec[], context: PlanContext): string[] {
  const names = new Set([...tasks.map((task) => task.name), ...context.siblings.map((one) => one.spec.name)]);
  const problems = tasks.flatMap((task) => [
    ...task.dependsOn
      .filter((name) => !names.has(name))
      .map((name) => `${task.name}: depends on '${name}', which is none of its siblings`),
    ...task.sections
      .filter((section) => !context.sections.has(section))
      .map((section) => `${task.name}: the spec has no section '${section}'`),
  ]);
  const cycle = dependencyCycle(tasks);
  if (cycle) problems.push(`dependencies form a cycle: ${cycle.join(' -> ')}`);
  return problems;
}

function capProblems(plan: Plan, context: PlanContext): string[] {
  const problems: string[] = [];
  if (plan.tasks.length === 0) problems.push('a plan needs at least one task');
  if (plan.tasks.length > context.tasksLeft) {
    problems.push(
      `${plan.tasks.length} tasks, but the run's cap leaves ${context.tasksLeft}: plan fewer, larger ones`,
    );
  }
  if (taskDepth(context.planner) + 1 > context.maxDepth) {
    problems.push(
      `the run's cap on depth is ${context.maxDepth}: plan nothing here, finish and say what is left`,
    );
  } else if (taskDepth(context.planner) + 2 > context.maxDepth) {
    const planners = plan.tasks.filter((task) => task.role === 'planner').map((task) => task.name);
    if (planners.length > 0) {
      problems.push(`the run's cap on depth leaves no room below ${planners.join(', ')}: make them workers`);
    }
  }
  return problems;
}

/**
 * What is wrong with a plan, one line each; empty when it is accepted. Overlap of questions and undeclared overlap of
 * paths are named, with both sides.
 */
export function checkPlan(plan: Plan, context: PlanContext): readonly string[] {
  const live = context.siblings.filter((sibling) => !sibling.terminal).map((sibling) => sibling.spec);
  return [
    ...capProblems(plan, context),
    ...nameProblems(plan.tasks, context),
    ...plan.tasks.flatMap((task) => scopeProblems(task, context)),
    ...plan.tasks.flatMap((task, index) => [
      ...overlapProblems(
        task,
        // A dependency orders two tasks, so the later one may take over the earlier one's paths.
        [...live, ...plan.tasks.slice(0, index)].filter((other) => !areOrdered(task, other, plan.tasks)),
      ),
      ...questionProblems(
        task,
        `${context.planner}/${task.name}`,
        [...live, ...plan.tasks.slice(0, index)],
        context,
      ),
    ]),
    ...referenceProblems(plan.tasks, context),
  ];
}

function areOrdered(left: TaskSpec, right: TaskSpec, tasks: readonly TaskSpec[]): boolean {
  const reaches = (from: TaskSpec, name: string, seen: Set<string>): boolean =>
    from.dependsOn.some((next) => {
      if (next === name) return true;
      const task = tasks.find((one) => one.name === next);
      if (task === undefined || seen.has(next)) return false;
      seen.add(next);
      return reaches(task, name, seen);
    });
  return reaches(left, right.name, new Set()) || reaches(right, left.name, new Set());
}
