import { z } from 'zod';

import type { Handoff } from '#protocol/tasks.ts';
import { lineArgument, shortTexts, textArgument } from './arguments.ts';
import type { PlannerContext, WorkerContext } from './context.ts';
import { defineTool, result, type Tool, type ToolResult } from './tool.ts';
import { describeRejection } from './version-control.ts';

const items = 20;
const itemCharacters = 300;
const summaryCharacters = 2000;

const handoffFields = {
  status: z
    .enum(['done', 'partial', 'blocked', 'failed'])
    .describe('done: every line of the acceptance holds.'),
  summary: textArgument
    .min(1)
    .max(summaryCharacters)
    .describe(`What was done. At most ${summaryCharacters} characters.`),
  verification: z
    .enum(['seen-live', 'unit-tests', 'types-only', 'verifier-blocked', 'verifier-failed', 'not-verified'])
    .describe('How it is known, strongest first; only what was run.'),
  deviations: shortTexts(items, itemCharacters).optional().describe('Where you left the goal, and why.'),
  findings: shortTexts(items, itemCharacters).optional().describe('What others need to know.'),
  concerns: shortTexts(items, itemCharacters).optional().describe('What may be wrong or is missing.'),
};
const plannerHandoff = z.strictObject(handoffFields);
const workerHandoff = z.strictObject({
  ...handoffFields,
  title: lineArgument(120)
    .optional()
    .describe('For the submit of what is left; taken from the summary when left out.'),
});
const caps = `Lists hold at most ${items} items of ${itemCharacters} characters.`;

export const finishWork: Tool<WorkerContext> = defineTool({
  name: 'finish',
  description: `Submits what is left and ends your work with its handoff, which is all that your planner sees. ${caps}`,
  schema: workerHandoff,
  run: async ({ title, ...fields }, context: WorkerContext) => {
    const outcome = await context.finish(toHandoff(fields), title);
    if (outcome === 'nothing') return finished('nothing');
    return outcome.kind === 'rejected' ? describeRejection(outcome.rejection) : finished(outcome.kind);
  },
});

export const finishPlanning: Tool<PlannerContext> = defineTool({
  name: 'finish',
  description: `Ends your part of the tree with its handoff, which is all that the planner above you sees. ${caps}`,
  schema: plannerHandoff,
  run: async (fields, context: PlannerContext) => {
    const end = await context.finish(toHandoff(fields));
    if (end.kind === 'finished') return finished('nothing');
    return result({ outcome: 'rejected', code: end.code }, end.details);
  },
});

function finished(submitted: string): ToolResult {
  return { ...result({ outcome: 'finished', submitted }), ends: true };
}

function toHandoff(fields: z.output<typeof plannerHandoff>): Handoff {
  const { status, summary, verification, deviations = [], findings = [], concerns = [] } = fields;
  return { status, summary, verification, deviations, findings, concerns };
}
