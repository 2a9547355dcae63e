import { z } from 'zod';
import type { ChatMessage, ToolCall } from '#protocol/models.ts';
import type { PlayedTurn } from '#models/playbook/play-turn.ts';
import { namedFrame, parseBody, pieces, refuseUnanswered, type AskedTurn, type Format } from './format.ts';

/** The part of the Responses API that is spoken here (https://developers.openai.com/api/reference/resources/responses). */
const callId = z.string().min(1).max(64);
const wireItem = z.union([
  z.strictObject({ role: z.enum(['user', 'assistant', 'developer', 'system']), content: z.string() }),
  z.strictObject({
    type: z.literal('function_call'),
    call_id: callId,
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
    arguments: z.string(),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: callId, output: z.string() }),
]);
const wireTool = z.strictObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  // True is what the API takes it for when it is left out, and then it refuses optional parameters.
  strict: z.literal(false),
});
const wireRequest = z.strictObject({
  model: z.string().min(1),
  instructions: z.string().min(1).optional(),
  input: z.array(wireItem).min(1),
  tools: z.array(wireTool).min(1).optional(),
  max_output_tokens: z.int().min(16),
  store: z.literal(false),
  stream: z.literal(true),
});

function read(body: unknown): AskedTurn {
  const { model, instructions, input, tools = [], ...rest } = parseBody(wireRequest, body);
  const system: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', text: instructions }];
  const messages = [...system, ...toMessages(input)];
  refuseUnanswered(messages);
  const toolNames = tools.map(({ name }) => name);
  return { model, messages, toolNames, maxOutputTokens: rest.max_output_tokens, mayUseCache: true };
}

/** An answer's text and calls are items of their own: they are one message again. */
function toMessages(items: readonly z.infer<typeof wireItem>[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of items) {
    if ('role' in item) messages.push(toMessage(item.role, item.content));
    else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', callId: item.call_id, text: item.output });
    } else {
      if (!isObject(item.arguments)) throw new Error(`the arguments of '${item.call_id}' are no object`);
      addCall(messages, { id: item.call_id, name: item.name, args: item.arguments });
    }
  }
  return messages;
}

function isObject(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toMessage(role: 'user' | 'assistant' | 'developer' | 'system', text: string): ChatMessage {
  if (role === 'assistant') return { role, text, toolCalls: [] };
  return { role: role === 'user' ? 'user' : 'system', text };
}

function addCall(messages: ChatMessage[], call: ToolCall): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', text: '', toolCalls: [call] });
  else messages.splice(-1, 1, { ...last, toolCalls: [...last.toolCalls, call] });
}

/** A reasoning item, which nobody may trip over, the text, the calls, and all of it again at the end. */
function events(turn: PlayedTurn, { model }: AskedTurn, pieceLength: number): readonly object[] {
  const reasoning = { id: 'rs_loopback', type: 'reasoning', summary: [] };
  const texts = turn.text === '' ? [] : [turn.text];
  const output = [
    reasoning,
    ...texts.map(messageItem),
    ...turn.toolCalls.map((call, index) => callItem(call, index, call.args, 'completed')),
  ];
  const response = (status: string, more: object = {}): object => ({
    id: 'resp_loopback',
    object: 'response',
    created_at: 0,
    model,
    status,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...more,
  });
  const first = texts.length + 1;
  const all = [
    { type: 'response.created', response: response('in_progress') },
    { type: 'response.in_progress', response: response('in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: reasoning },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    ...texts.flatMap((text) => textEvents(text, pieceLength)),
    ...turn.toolCalls.flatMap((call, index) => callEvents(call, index, first + index, pieceLength)),
    { type: 'response.completed', response: response('completed', { output, usage: usageOf(turn) }) },
  ];
  return all.map(numbered);
}

function messageItem(text: string): object {
  return {
    id: 'msg_loopback',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

function numbered(event: object, index: number): object {
  return { ...event, sequence_number: index };
}

function withUsageLeftOut(event: object): object {
  const response = 'response' in event && typeof event.response === 'object' ? event.response : null;
  return response === null ? event : { ...event, response: { ...response, usage: null } };
}

function textEvents(text: string, pieceLength: number): object[] {
  const place = { item_id: 'msg_loopback', output_index: 1, content_index: 0 };
  return [
    { type: 'response.output_item.added', output_index: 1, item: messageItem('') },
    ...pieces(text, pieceLength).map((delta) =>
      Object.assign({ type: 'response.output_text.delta', delta }, place),
    ),
    { type: 'response.output_text.done', ...place, text },
    { type: 'response.output_item.done', output_index: 1, item: messageItem(text) },
  ];
}

function callItem(call: ToolCall, index: number, args: string, status: string): object {
  const { id, name } = call;
  return { id: `fc_${index}`, type: 'function_call', status, call_id: id, name, arguments: args };
}

function callEvents(call: ToolCall, index: number, place: number, pieceLength: number): object[] {
  const at = { item_id: `fc_${index}`, output_index: place };
  return [
    {
      type: 'response.output_item.added',
      output_index: place,
      item: callItem(call, index, '', 'in_progress'),
    },
    ...pieces(call.args, pieceLength).map((delta) =>
      Object.assign({ type: 'response.function_call_arguments.delta', delta }, at),
    ),
    { type: 'response.function_call_arguments.done', ...at, name: call.name, arguments: call.args },
    {
      type: 'response.output_item.done',
      output_index: place,
      item: callItem(call, index, call.args, 'completed'),
    },
  ];
}

function usageOf({ usage }: PlayedTurn): object {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens, cache_write_tokens: 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

/** An error event has no room for an error's type. */
function codedError(error: object): object {
  return 'type' in error ? { code: error.type, ...error } : error;
}

/** OpenAI's Responses API. */
export const responsesFormat: Format = {
  path: '/v1/responses',
  read,
  events,
  withoutUsage: (all) => all.map(withUsageLeftOut),
  frame: namedFrame,
  end: '',
  errorBody: ({ code, message }) => ({ error: { message, type: code, param: null, code } }),
  errorEvent: (error) => namedFrame({ param: null, sequence_number: 0, ...codedError(error), type: 'error' }),
};
