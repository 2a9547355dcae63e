import { z } from 'zod';

import { textArgument } from './arguments.ts';
import type { WorkerContext } from './context.ts';
import { joinCapped } from './limits.ts';
import { defineTool, result, type Tool } from './tool.ts';

export const runCommand: Tool<WorkerContext> = defineTool({
  name: 'run_command',
  description:
    'Runs `sh -c` in a fresh copy of your view: no network, no home folder, limits on time and output. ' +
    'What it writes is reported as changed and is not kept: only your edits are your work.',
  schema: z.strictObject({
    // The system ends arguments at a NUL: no process can be started with one.
    command: textArgument
      .trim()
      .min(1)
      .max(8000)
      .refine((command) => !command.includes('\0'), 'wanted text without NUL'),
  }),
  run: async ({ command }, context: WorkerContext, signal) => {
    const { exitCode, ended, changed, output } = await context.runCommand(command, signal);
    const first = { exit: exitCode ?? 'none', ended, changed: changed.length };
    const notKept = changed.length === 0 ? '' : `changed, not kept: ${joinCapped(changed, 20)}`;
    return result(first, notKept, output);
  },
});
