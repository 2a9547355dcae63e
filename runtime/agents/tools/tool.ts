import { z } from 'zod';

import type { ToolSpec } from '#models/chat-model.ts';
import { formatFirstLine } from '#protocol/first-line.ts';
import type { ToolCall } from '#protocol/models.ts';
import { SpecError } from '#spec/errors.ts';
import { VcsError } from '#vcs/errors.ts';
import { cutMiddle, resultBytes } from './limits.ts';

export interface ToolResult {
  /** One line of `key=value` pairs (ADR 2), then what there is to read. */
  readonly text: string;
  /** The agent's work ends with this call. */
  readonly ends?: boolean;
}

/** Something a role may do. A role has no other tools than those of its set: what is not there cannot be called. */
export interface Tool<Context> extends ToolSpec {
  /** @param args the parsed JSON of the call, not yet validated. @throws the signal's reason; errors of the store */
  run(args: unknown, context: Context, signal: AbortSignal): Promise<ToolResult>;
}

interface ToolDefinition<Schema extends z.ZodObject, Context> {
  readonly name: string;
  readonly description: string;
  /** A strict object: an argument that nobody reads is a misunderstanding, and is answered as one. */
  readonly schema: Schema;
  run(args: z.output<Schema>, context: Context, signal: AbortSignal): Promise<ToolResult>;
}

/** A tool whose arguments are validated: what does not fit is answered with `outcome=invalid`, and nothing is done. */
export function defineTool<Schema extends z.ZodObject, Context>(
  definition: ToolDefinition<Schema, Context>,
): Tool<Context> {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(definition.schema, { io: 'input' });
  return {
    name: definition.name,
    description: definition.description,
    parameters,
    run: async (args, context, signal) => {
      const parsed = definition.schema.safeParse(withoutNulls(args));
      if (!parsed.success) return invalid(parsed.error.issues.slice(0, 3).map(describeIssue).join('; '));
      try {
        return await definition.run(parsed.data, context, signal);
      } catch (error) {
        const problem = problemOfCaller(error);
        if (problem === undefined) throw error;
        return invalid(problem);
      }
    },
  };
}

/** Runs one call of a model. Whatever the model wrote, the answer is a result that tells it what is wanted. */
export async function runToolCall<Context>(
  tools: readonly Tool<Context>[],
  call: ToolCall,
  context: Context,
  signal: AbortSignal,
): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) {
    return invalid(`no tool ${call.name}; there are ${tools.map((each) => each.name).join(', ')}`);
  }
  let args: unknown;
  try {
    // Some models write nothing at all for a tool without arguments.
    args = call.args.trim() === '' ? {} : JSON.parse(call.args);
  } catch (error) {
    const hint = 'If the answer was cut off: send less in one call.';
    return invalid('the arguments are not JSON', `${error instanceof Error ? error.message : ''}\n${hint}`);
  }
  return tool.run(args, context, signal);
}

/** A result: its first line, then the body, cut in the middle where it would flood a context. */
export function result(
  pairs: Readonly<Record<string, string | number>>,
  ...body: readonly string[]
): ToolResult {
  const text = body.filter((part) => part !== '').join('\n');
  const first = formatFirstLine(pairs);
  return { text: text === '' ? first : `${first}\n${cutMiddle(text, resultBytes)}` };
}

/** Nothing was done. `problem` names the argument and what is wanted. */
export function invalid(problem: string, ...body: readonly string[]): ToolResult {
  return result({ outcome: 'invalid', problem: cutMiddle(problem, 1000) }, ...body);
}

/** `null` is how some models say that they leave an argument out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([key, field]) => [key, withoutNulls(field)]));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const wanted = issue.message.replace(/^Invalid input: /, '');
  return issue.path.length === 0 ? wanted : `${issue.path.join('.')}: ${wanted}`;
}

/** Errors of a tree that the caller's arguments brought about. Others are nobody's argument, and are thrown. */
const callersErrors = new Set<string>(['bad-path', 'no-such-file', 'path-taken', 'protected-path']);

function problemOfCaller(error: unknown): string | undefined {
  if (SpecError.is(error, 'no-such-section')) return error.message;
  if (!VcsError.is(error) || !callersErrors.has(error.code)) return undefined;
  const { path } = error.details;
  return path === undefined ? error.message : `${path}: ${error.message}`;
}
