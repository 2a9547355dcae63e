import { z } from 'zod';
import type { ChatMessage, ToolCall } from '#protocol/models.ts';
import type { PlayedTurn } from '#models/playbook/play-turn.ts';
import { namedFrame, parseBody, pieces, refuseUnanswered, type AskedTurn, type Format } from './format.ts';

/** The part of the Messages API that is spoken here (https://platform.claude.com/docs/en/api/messages/create). */
const cacheControl = z.strictObject({ type: z.literal('ephemeral') }).optional();
const someText = z.string().regex(/\S/, 'text content blocks must contain non-whitespace text');
const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const textBlock = z.strictObject({ type: z.literal('text'), text: someText, cache_control: cacheControl });
const useBlock = z.strictObject({
  type: z.literal('tool_use'),
  id: toolId,
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
  cache_control: cacheControl,
});
const resultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: toolId,
  content: someText.optional(),
  cache_control: cacheControl,
});
const wireMessage = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.array(z.discriminatedUnion('type', [textBlock, resultBlock])).min(1),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.array(z.discriminatedUnion('type', [textBlock, useBlock])).min(1),
  }),
]);
const wireTool = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  cache_control: cacheControl,
});
const wireRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.array(textBlock).min(1).optional(),
  messages: z.array(wireMessage).min(1),
  tools: z.array(wireTool).min(1).optional(),
  stream: z.literal(true),
});
type WireMessage = z.infer<typeof wireMessage>;

function read(body: unknown, headers: Readonly<Record<string, string | string[] | undefined>>): AskedTurn {
  if (headers['anthropic-version'] === undefined) throw new Error('anthropic-version: header is required');
  const { model, system = [], messages, tools = [], ...rest } = parseBody(wireRequest, body);
  refuseWrongOrder(messages);
  const all: ChatMessage[] = [
    ...system.map(({ text }): ChatMessage => ({ role: 'system', text })),
    ...messages.flatMap(toMessages),
  ];
  refuseUnanswered(all);
  const blocks = [...system, ...tools, ...messages.flatMap((message): readonly object[] => message.content)];
  const marks = blocks.filter((block) => 'cache_control' in block).length;
  if (marks > 4) throw new Error(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const toolNames = tools.map(({ name }) => name);
  return { model, messages: all, toolNames, maxOutputTokens: rest.max_tokens, mayUseCache: marks > 0 };
}

function refuseWrongOrder(messages: readonly WireMessage[]): void {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) {
      throw new Error(`messages.${index}: roles must alternate, and the first is user`);
    }
    const kinds = content.map(({ type }) => type);
    if (kinds.lastIndexOf('tool_result') > kinds.indexOf('text') && kinds.includes('text')) {
      throw new Error(`messages.${index}: tool_result blocks must come first`);
    }
  }
}

function toMessages(message: WireMessage): readonly ChatMessage[] {
  if (message.role === 'user') {
    return message.content.map((block) =>
      block.type === 'text'
        ? { role: 'user', text: block.text }
        : { role: 'tool', callId: block.tool_use_id, text: block.content ?? '' },
    );
  }
  const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const toolCalls = message.content.flatMap((block): readonly ToolCall[] =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: JSON.stringify(block.input) }] : [],
  );
  return [{ role: 'assistant', text, toolCalls }];
}

/** A ping, as they come at any time, the text, the calls, the reason of the end with the usage, the end. */
function events(turn: PlayedTurn, { model, mayUseCache }: AskedTurn, pieceLength: number): readonly object[] {
  const { inputTokens, cachedInputTokens, outputTokens } = turn.usage;
  // What was not read from the cache is written to it, but for a few tokens behind the last mark.
  const fresh = mayUseCache ? Math.min(3, inputTokens - cachedInputTokens) : inputTokens;
  const usage = {
    input_tokens: fresh,
    cache_creation_input_tokens: inputTokens - cachedInputTokens - fresh,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: 1,
  };
  const texts = turn.text === '' ? [] : [turn.text];
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_loopback',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    { type: 'ping' },
    ...texts.flatMap((text) =>
      blockEvents(0, { type: 'text', text: '' }, pieces(text, pieceLength), (part) => {
        return { type: 'text_delta', text: part };
      }),
    ),
    ...turn.toolCalls.flatMap(({ id, name, args }, index) =>
      blockEvents(
        texts.length + index,
        { type: 'tool_use', id, name, input: {} },
        args === '{}' ? [''] : pieces(args, pieceLength),
        (part) => ({ type: 'input_json_delta', partial_json: part }),
      ),
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: turn.stopReason === 'tool-calls' ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: {
        input_tokens: null,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        output_tokens: outputTokens,
      },
    },
    { type: 'message_stop' },
  ];
}

function blockEvents(
  index: number,
  start: object,
  parts: readonly string[],
  toDelta: (part: string) => object,
): object[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...parts.map((part) => ({ type: 'content_block_delta', index, delta: toDelta(part) })),
    { type: 'content_block_stop', index },
  ];
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Anthropic's Messages API. */
export const messagesFormat: Format = {
  path: '/v1/messages',
  read,
  events,
  withoutUsage: (all) =>
    all.map((event) => {
      if ('message' in event && typeof event.message === 'object') {
        return { ...event, message: { ...event.message, usage: null } };
      }
      return 'usage' in event ? { ...event, usage: null } : event;
    }),
  frame: namedFrame,
  end: '',
  errorBody: ({ status, message }) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
    request_id: 'req_loopback',
  }),
  errorEvent: (error) => namedFrame({ type: 'error', error, request_id: 'req_loopback' }),
};
