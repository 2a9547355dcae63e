import type { FileTree } from '#protocol/file-tree.ts';
import { parentTask, type TaskPath } from '#protocol/tasks.ts';
import type { FieldGuide, PlannerBrief, Prompt, TaskHandoff, WorkerBrief } from '#agents/prompts/briefs.ts';
import { handoffMessage } from '#agents/prompts/handoff-message.ts';
import { plannerPrompt } from '#agents/prompts/planner-prompt.ts';
import { workerPrompt } from '#agents/prompts/worker-prompt.ts';
import { defaultFieldGuide } from '#protocol/field-guide.ts';
import { bindingDecisions } from './decision-register.ts';
import type { SwarmEnvironment } from './environment.ts';

/** Paths that a planner is shown at once; its tools list the rest. */
const overviewPaths = 200;

/** The guide as it stands on the tree that the agent starts from. */
async function readFieldGuide(tree: FileTree): Promise<FieldGuide> {
  const { folder, indexLines, folderLines } = defaultFieldGuide;
  const path = `${folder}/index.md`;
  const index = tree.entry(path) ? new TextDecoder().decode(await tree.read(path)) : '';
  return { folder, indexLines, folderLines, index };
}

function handoffsOf(environment: SwarmEnvironment, tasks: readonly TaskPath[]): readonly TaskHandoff[] {
  return tasks.flatMap((task) => {
    const { handoff } = environment.log.projection.task(task);
    return handoff ? [{ task, handoff }] : [];
  });
}

/** What both roles are told: the task, what binds it, what it builds on, and nothing else. */
async function commonBrief(
  environment: SwarmEnvironment,
  task: TaskPath,
  tree: FileTree,
): Promise<Omit<WorkerBrief, 'sandbox'>> {
  const { log, spec, options } = environment;
  const node = log.projection.task(task);
  const titles = new Map(spec.outline.map((section) => [section.id, section.title]));
  const parent = parentTask(task);
  return {
    task,
    attempt: node.attempt,
    goal: node.spec.goal,
    acceptance: node.spec.acceptance,
    scope: node.spec.scope,
    shared: node.spec.shared,
    sections: node.spec.sections.map((id) => ({ id, title: titles.get(id) ?? id, text: spec.read(id) })),
    decisions: bindingDecisions(log.projection, task),
    dependencies: handoffsOf(
      environment,
      node.spec.dependsOn.map((name) => `${parent ?? ''}/${name}`),
    ),
    fieldGuide: await readFieldGuide(tree),
    ...(options.verify === undefined ? {} : { verify: options.verify }),
    ...(node.failure === undefined ? {} : { previous: node.failure }),
  };
}

export async function workerOpening(
  environment: SwarmEnvironment,
  task: TaskPath,
  tree: FileTree,
): Promise<Prompt> {
  const brief = await commonBrief(environment, task, tree);
  return workerPrompt({ ...brief, sandbox: environment.sandboxed ? 'bubblewrap' : 'none' });
}

function overview(tree: FileTree): string {
  const paths = [...tree.walk()].map(([path]) => path);
  const left = paths.length - overviewPaths;
  return [...paths.slice(0, overviewPaths), ...(left > 0 ? [`… and ${left} more`] : [])].join('\n');
}

export async function plannerOpening(
  environment: SwarmEnvironment,
  task: TaskPath,
  tree: FileTree,
): Promise<Prompt> {
  const { log, spec, options } = environment;
  const node = log.projection.task(task);
  const brief: PlannerBrief = {
    ...(await commonBrief(environment, task, tree)),
    outline: spec.outline,
    decides: node.spec.decides,
    files: overview(tree),
    tasksLeft: Math.max(options.caps.tasks - log.projection.tasks.size, 0),
    depthLeft: Math.max(options.caps.depth - (task.split('/').length - 1), 0),
  };
  const prompt = plannerPrompt(brief);
  // A planner that takes over is told what its predecessor's tasks have come to.
  if (node.children.length === 0) return prompt;
  return { ...prompt, user: `${prompt.user}\n${handoffMessage(handoffsOf(environment, node.children))}` };
}
