import { z } from 'zod';
import type { ChatMessage } from '#protocol/models.ts';
import type { PlayedTurn } from '#models/playbook/play-turn.ts';

/**
 * The part of OpenAI's Chat Completions format that is spoken here, as strict as a real server: what an adapter gets
 * wrong is refused (https://platform.openai.com/docs/api-reference/chat).
 */
const wireCall = z.strictObject({
  id: z.string().min(1).max(40),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), arguments: z.string() }),
});
const wireMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.string() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(wireCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
const wireTool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
  }),
});
const wireRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(wireMessage).min(1),
  tools: z.array(wireTool).min(1).optional(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
});

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly toolNames: readonly string[];
  readonly maxOutputTokens: number;
}

/** @throws Error with what is wrong, in one line */
export function readCompletionRequest(body: string): CompletionRequest {
  const parsed = wireRequest.safeParse(JSON.parse(body));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  const { model, messages, tools = [], max_tokens: old, max_completion_tokens: current } = parsed.data;
  const maxOutputTokens = current ?? old;
  if (maxOutputTokens === undefined) throw new Error('the output has no cap');
  const problem = unansweredCall(messages);
  if (problem !== undefined) throw new Error(problem);
  return {
    model,
    messages: messages.map(toChatMessage),
    toolNames: tools.map((tool) => tool.function.name),
    maxOutputTokens,
  };
}

/** Each call of an assistant must be answered before anyone else speaks, and nothing else may be answered. */
function unansweredCall(messages: readonly z.infer<typeof wireMessage>[]): string | undefined {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `no call '${message.tool_call_id}' is open`;
    } else if (open.size > 0) {
      break;
    } else if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) open.add(call.id);
    }
  }
  return open.size > 0 ? `calls without a result: ${[...open].join(', ')}` : undefined;
}

function toChatMessage(message: z.infer<typeof wireMessage>): ChatMessage {
  switch (message.role) {
    case 'assistant':
      return {
        role: 'assistant',
        text: message.content ?? '',
        toolCalls: (message.tool_calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          args: call.function.arguments,
        })),
      };
    case 'tool':
      return { role: 'tool', callId: message.tool_call_id, text: message.content };
    case 'system':
    case 'user':
      return { role: message.role, text: message.content };
    default:
      return message satisfies never;
  }
}

/**
 * The chunks of a streamed answer: the role, text and arguments in pieces of a few characters (which cut escapes and
 * surrogate pairs in half, as real servers do), the reason of the end, the usage.
 */
export function completionChunks(turn: PlayedTurn, model: string, pieceLength: number): readonly object[] {
  const envelope = { id: 'chatcmpl-loopback', object: 'chat.completion.chunk', created: 0, model };
  const delta = (change: object, reason: string | null = null): object => ({
    ...envelope,
    choices: [{ index: 0, delta: change, finish_reason: reason }],
    usage: null,
  });
  const callChunks = turn.toolCalls.flatMap((call, index) => [
    delta({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    }),
    ...pieces(call.args, pieceLength).map((part) =>
      delta({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]);
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(turn.text, pieceLength).map((part) => delta({ content: part })),
    ...callChunks,
    delta({}, turn.stopReason === 'tool-calls' ? 'tool_calls' : 'stop'),
    {
      ...envelope,
      choices: [],
      usage: {
        prompt_tokens: turn.usage.inputTokens,
        completion_tokens: turn.usage.outputTokens,
        total_tokens: turn.usage.inputTokens + turn.usage.outputTokens,
        prompt_tokens_details: { cached_tokens: turn.usage.cachedInputTokens },
      },
    },
  ];
}

function pieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
