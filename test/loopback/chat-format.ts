import { z } from 'zod';
import type { ChatMessage } from '#protocol/models.ts';
import type { PlayedTurn } from '#models/playbook/play-turn.ts';
import { parseBody, pieces, refuseUnanswered, type AskedTurn, type Format } from './format.ts';

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

function read(body: unknown): AskedTurn {
  const {
    model,
    tools = [],
    max_tokens: old,
    max_completion_tokens: current,
    ...rest
  } = parseBody(wireRequest, body);
  const maxOutputTokens = current ?? old;
  if (maxOutputTokens === undefined) throw new Error('the output has no cap');
  const messages = rest.messages.map(toChatMessage);
  refuseUnanswered(messages);
  const toolNames = tools.map((tool) => tool.function.name);
  return { model, messages, toolNames, maxOutputTokens, mayUseCache: true };
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

/** The role, the text, the calls, the reason of the end, the usage. */
function events(turn: PlayedTurn, { model }: AskedTurn, pieceLength: number): readonly object[] {
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

/** OpenAI's Chat Completions. */
export const chatFormat: Format = {
  path: '/v1/chat/completions',
  read,
  events,
  withoutUsage: (all) => all.slice(0, -1),
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  end: 'data: [DONE]\n\n',
  errorBody: ({ code, message }) => ({ error: { message, type: code, param: null, code } }),
  errorEvent: (error) => `event: error\ndata: ${JSON.stringify({ error })}\n\n`,
};
