import { z } from 'zod';

import { textArgument } from './arguments.ts';
import type { PlannerContext } from './context.ts';
import { defineTool, result, type Tool } from './tool.ts';

export const dropParked: Tool<PlannerContext> = defineTool({
  name: 'drop_parked',
  description:
    'Gives up the work of a task below you that is parked and was not settled, for a reason that is kept. ' +
    'Plan what is to replace it.',
  schema: z.strictObject({
    task: textArgument.min(1).max(500).describe('Its whole path: `root/storage/pages`.'),
    reason: textArgument.min(1).max(500),
  }),
  run: async ({ task, reason }, context: PlannerContext) => {
    const outcome = await context.dropParked(task, reason);
    return outcome.kind === 'dropped'
      ? result({ outcome: 'dropped', task })
      : result({ outcome: 'rejected', code: outcome.code }, outcome.details);
  },
});
