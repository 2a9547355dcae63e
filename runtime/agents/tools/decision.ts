import { z } from 'zod';

import { questionArgument, textArgument } from './arguments.ts';
import type { PlannerContext } from './context.ts';
import { defineTool, result, type Tool } from './tool.ts';

export const recordDecision: Tool<PlannerContext> = defineTool({
  name: 'record_decision',
  description:
    'Records the answer to a design question; it binds every task below you. A question that is answered elsewhere ' +
    'is refused. Your own answer is replaced by a new revision.',
  schema: z.strictObject({
    question: questionArgument.describe('Its name: `row-format`.'),
    choice: textArgument
      .min(1)
      .max(4000)
      .describe('The answer, so that nobody has to ask: names, signatures, formats.'),
    why: textArgument.min(1).max(1000),
  }),
  run: async (draft, context: PlannerContext) => {
    const outcome = await context.recordDecision(draft);
    if (outcome.kind === 'rejected') {
      return result({ outcome: 'rejected', code: outcome.code }, outcome.details);
    }
    const { question, revision } = outcome.decision;
    return result({ outcome: 'recorded', decision: `${question}@${revision}` });
  },
});
