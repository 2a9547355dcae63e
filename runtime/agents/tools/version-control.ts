import { z } from 'zod';

import type { Rejection, SubmitOutcome } from '#protocol/change-sets.ts';
import { lineArgument, textArgument } from './arguments.ts';
import type { WorkerContext } from './context.ts';
import { joinCapped } from './limits.ts';
import { defineTool, result, type Tool, type ToolResult } from './tool.ts';

/** Paths that a first line names; the body names more. */
const pathsInLine = 20;
const pathsInBody = 200;

export const submit: Tool<WorkerContext> = defineTool({
  name: 'submit',
  description:
    'Offers your edits to trunk. Never waits for others and loses nothing. Submit each step that stands on its own. ' +
    'Edits outside your scope are a submit of their own with `breakage_reason`: few files, few lines, and a comment ' +
    'at the place that says the reason.',
  schema: z.strictObject({
    title: lineArgument(120).describe('What was changed, in one line.'),
    breakage_reason: textArgument
      .min(1)
      .max(500)
      .optional()
      .describe('Why a change outside your scope is worth that others adapt to it.'),
  }),
  run: async ({ title, breakage_reason: reason }, context: WorkerContext) =>
    describeOutcome(await context.submit(title, reason)),
});

export const sync: Tool<WorkerContext> = defineTool({
  name: 'sync',
  description:
    'Brings your view to the newest trunk and merges your edits onto it. Names what others changed.',
  schema: z.strictObject({}),
  run: async (_args, context: WorkerContext) => {
    const { moved, changed, merged, conflicts } = await context.sync();
    if (!moved) {
      return result(
        { outcome: 'blocked', conflicts: inLine(conflicts) },
        'Nothing has changed. Your edits and trunk disagree in these files. Go on from your base and submit: ' +
          'your change set is parked whole, and a neutral resolver settles it.',
      );
    }
    return result(
      { outcome: 'synced', changed: changed.length, merged: merged.length },
      changed.length === 0 ? '' : `changed by others: ${joinCapped(changed, pathsInBody)}`,
      merged.length === 0
        ? ''
        : `merged with your edits, not verified together: ${joinCapped(merged, pathsInBody)}`,
    );
  },
});

function describeOutcome(outcome: SubmitOutcome): ToolResult {
  switch (outcome.kind) {
    case 'committed':
      return result(
        { outcome: 'committed', files: outcome.paths.length },
        'On trunk. Your view goes on from there.',
      );
    case 'merged':
      return result(
        { outcome: 'merged', files: outcome.paths.length, merged: inLine(outcome.mergedPaths) },
        'On trunk, merged with what others changed in the same files: not verified together. Verify before you go on.',
      );
    case 'conflicted':
      return result(
        { outcome: 'conflicted', paths: inLine(outcome.conflicts.map(({ path }) => path)) },
        'Your change set is parked whole; a neutral resolver settles it. Do not redo it; go on or finish.',
      );
    case 'held':
      return result(
        { outcome: 'held', paths: inLine(outcome.frozen) },
        'These files are being split. Your change set is parked whole and is replayed onto the new files. ' +
          'Do not redo it; go on or finish.',
      );
    case 'rejected':
      return describeRejection(outcome.rejection);
    default:
      return outcome satisfies never;
  }
}

export function describeRejection(rejection: Rejection): ToolResult {
  const { code, details, paths } = rejection;
  const unnamed = paths.filter((path) => !details.includes(path));
  const named = unnamed.length === 0 ? '' : `paths: ${joinCapped(unnamed, pathsInBody)}`;
  return result({ outcome: 'rejected', code }, details, named, whatToDo(rejection));
}

function whatToDo({ code }: Rejection): string {
  switch (code) {
    case 'empty':
      return 'There is nothing to submit: your view has no edits. Go on or finish.';
    case 'out-of-scope':
      return 'Undo these edits, or submit with breakage_reason if the change is worth that others adapt to it.';
    case 'protected-path':
    case 'bad-path':
      return 'Undo these edits: no task may change these paths. Say in the handoff if the work needs it.';
    case 'too-large':
      return 'Make the change smaller, or submit it in parts; a breakage holds nothing but itself.';
    case 'case-twin':
      return 'Use the name that is there already: some disks cannot tell the two apart.';
    case 'conflict-markers':
      return 'Take the markers out; conflicts are settled by a resolver, never in a file.';
    case 'field-guide-budget':
      return 'Shorten the Field Guide: take out what the next agent does not need.';
    case 'stale-epoch':
      return 'Another agent has taken this task over. Finish.';
    case 'unknown-base':
    case 'not-parked':
    case 'trunk-moved':
      return 'Call sync, then submit again.';
    default:
      return code satisfies never;
  }
}

function inLine(paths: readonly string[]): string {
  return joinCapped(paths, pathsInLine, ',');
}
