import { z } from 'zod';

import type { TaskSpec } from '#protocol/tasks.ts';
import { nameArgument, questionArgument, shortTexts, textArgument } from './arguments.ts';
import type { PlannerContext } from './context.ts';
import { defineTool, result, type Tool } from './tool.ts';

const name = nameArgument(40);

const task = z.strictObject({
  name: name.describe('Unique among its siblings: `row-format`.'),
  role: z.enum(['planner', 'worker']).describe('planner: only for what is too large for one worker.'),
  goal: textArgument
    .min(1)
    .max(4000)
    .describe('All that the agent is told besides its sections. No question left open.'),
  scope: shortTexts(50, 300).describe(
    'Paths that only this task changes: `src/lexer.js`, `src/sql/**`, `**`.',
  ),
  shared: shortTexts(50, 300)
    .optional()
    .describe('Paths that siblings change too; each of them names them here.'),
  decides: z
    .array(questionArgument)
    .max(20)
    .optional()
    .describe('Design questions left to this planner; no two tasks share one.'),
  acceptance: shortTexts(20, 500).min(1).describe('What must hold at the end, so that it can be checked.'),
  sections: shortTexts(50, 300)
    .optional()
    .describe('Ids of the sections of the specification that it needs.'),
  depends_on: z
    .array(name)
    .max(20)
    .optional()
    .describe('Siblings whose work must be on trunk first. Keep it few.'),
});

export const plan: Tool<PlannerContext> = defineTool({
  name: 'plan',
  description:
    'Delegates. Refused as a whole when two tasks decide one question or change one path that they do not share. ' +
    'You sleep afterwards, and are woken with the handoffs.',
  schema: z.strictObject({
    wake: z.enum(['each', 'all']).describe('At each handoff, or once all tasks of yours have ended.'),
    tasks: z.array(task).min(1).max(50),
  }),
  run: async ({ wake, tasks }, context: PlannerContext) => {
    const outcome = await context.plan({ wake, tasks: tasks.map(toTaskSpec) });
    if (outcome.kind === 'accepted') return result({ outcome: 'accepted', tasks: outcome.tasks });
    const { problems } = outcome;
    return result(
      { outcome: 'rejected', problems: problems.length },
      problems.map((problem) => `- ${problem}`).join('\n'),
      'Nothing was started. Send the whole plan again.',
    );
  },
});

function toTaskSpec(given: z.output<typeof task>): TaskSpec {
  return {
    name: given.name,
    role: given.role,
    goal: given.goal,
    scope: given.scope,
    shared: given.shared ?? [],
    decides: given.decides ?? [],
    acceptance: given.acceptance,
    sections: given.sections ?? [],
    dependsOn: given.depends_on ?? [],
  };
}
