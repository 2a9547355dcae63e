import { z } from 'zod';

import { textArgument } from './arguments.ts';
import type { Resolution, ResolverContext } from './context.ts';
import { defineTool, invalid, result, withoutNulls, type Tool } from './tool.ts';

const waiver = z.strictObject({
  side: z.enum(['trunk', 'ours']),
  hunk: z.int().min(1).describe('Its number within the side.'),
  reason: textArgument.min(1).max(500),
});

const resolution = z.strictObject({
  action: z.enum(['write', 'delete']),
  content: textArgument.optional().describe('With write: the whole file, without conflict markers.'),
  waivers: z.array(waiver).max(200).optional(),
});

/** The answer that an accepted call gave, from its raw arguments: a resumed run reads it from the transcript. */
export function parseResolution(args: string): Resolution {
  const { action, content, waivers = [] } = resolution.parse(withoutNulls(JSON.parse(args)));
  return { action, ...(content === undefined ? {} : { content }), waivers };
}

export const resolve: Tool<ResolverContext> = defineTool({
  name: 'resolve',
  description: 'Your answer. Each hunk of either side is in it, or is waived with a reason.',
  schema: resolution,
  run: async ({ action, content, waivers = [] }, context: ResolverContext) => {
    if (action === 'write' && content === undefined) return invalid('content: wanted with action write');
    if (action === 'delete' && content !== undefined)
      return invalid('content: not wanted with action delete');
    const outcome = await context.resolve({ action, ...(content === undefined ? {} : { content }), waivers });
    if (outcome.kind === 'accepted') return { ...result({ outcome: 'accepted' }), ends: true };
    const { problems } = outcome;
    return result(
      { outcome: 'rejected', problems: problems.length },
      problems.map((problem) => `- ${problem}`).join('\n'),
    );
  },
});
