import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemScheduler } from '#edges/scheduler.ts';
import { collect } from '../../../test/loopback/collect.ts';
import { FactBoard } from '../../../test/loopback/fact-board.ts';
import type { Misbehaviour } from '../../../test/loopback/misbehaviour.ts';
import { playbookOf } from '../../../test/loopback/playbooks.ts';
import { startLoopbackServer, type LoopbackServer } from '../../../test/loopback/server.ts';
import type { ChatEvent, ChatModel, ChatRequest } from '../chat-model.ts';
import { inputBound } from '../cost.ts';
import { ModelError } from '../errors.ts';
import { createModel, type ProviderOptions } from '../provider.ts';

const key = 'worker root 1 1';
const apiKey = 'sk-the-secret-of-this-test';
const playbook = playbookOf({
  key,
  text: 'Some text that makes several chunks.',
  calls: [{ tool: 'finish', args: { status: 'done' }, expect: new Map() }],
});
const request: ChatRequest = {
  callKey: key,
  messages: [{ role: 'user', text: 'Build it.' }],
  tools: [],
  maxOutputTokens: 500,
  account: 'root',
};
const signal = new AbortController().signal;

let server: LoopbackServer;
beforeEach(async () => {
  server = await startLoopbackServer({
    playbook,
    facts: new FactBoard(),
    apiKey,
    models: { small: { input: 1, cachedInput: 1, output: 1 } },
  });
});
afterEach(async () => server.close());

/** The three formats, each by a provider that speaks it. */
const formats = [
  { provider: 'compatible', variable: 'COMPATIBLE_API_KEY' },
  { provider: 'openai', variable: 'OPENAI_API_KEY' },
  { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
] as const;
type Provider = (typeof formats)[number]['provider'];

function model(choice: string, secret = apiKey, options: Partial<ProviderOptions> = {}): ChatModel {
  const environment = Object.fromEntries(formats.map(({ variable }) => [variable, secret]));
  return createModel(choice, {
    baseUrl: server.baseUrl,
    environment,
    scheduler: systemScheduler,
    ...options,
  });
}

async function failureOf(what: ChatModel): Promise<ModelError> {
  const failure: unknown = await collect(what.chat(request, signal)).catch((cause: unknown) => cause);
  if (!ModelError.is(failure)) throw new Error('no ModelError was thrown', { cause: failure });
  const { message, stack, details, cause } = failure;
  expect([message, stack, JSON.stringify(details), String(cause)].join('\n')).not.toContain(apiKey);
  expect(message).not.toContain('\n');
  return failure;
}

async function failureBy(provider: Provider, how: Misbehaviour): Promise<ModelError> {
  server.misbehave(how, { next: 1 });
  // Where waiting is the point, it is short; elsewhere a slow machine must not make it matter.
  const waits = how.kind === 'stall' || how.kind === 'no-answer';
  const limits = waits ? { connectTimeout: 300, idleTimeout: 300 } : {};
  return failureOf(model(`${provider}/small`, apiKey, limits));
}

async function listen(listener: Server): Promise<string> {
  const listening = Promise.withResolvers<void>();
  listener.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = listener.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`;
}

function usageOf(events: readonly ChatEvent[]): unknown {
  const end = events.at(-1);
  return end?.kind === 'end' ? end.usage : undefined;
}

type Body = (provider: Provider) => string;

/** An error as the provider's servers write it. */
function error(code: string | number, message = 'said the server'): Body {
  return (provider) =>
    provider === 'anthropic'
      ? JSON.stringify({ type: 'error', error: { type: String(code), message } })
      : JSON.stringify({ error: { message, type: code, code } });
}

function text(body: string): Body {
  return () => body;
}

describe.each(formats)('a refusal by $provider', ({ provider, variable }) => {
  it.each<readonly [number, Body | undefined, string, string]>([
    [401, undefined, 'auth', `check the key in ${variable}`],
    [403, undefined, 'auth', `check the key in ${variable}`],
    [404, error('model_not_found'), 'unknown-model', 'check the name of the model'],
    [404, text('<html>nothing here</html>'), 'unknown-model', 'base URL'],
    [429, error('rate_limit_exceeded', 'Rate limit reached on tokens per min'), 'rate-limited', '429'],
    [429, error('insufficient_quota', 'You exceeded your current quota'), 'quota', 'add credit'],
    [402, error(402, 'Insufficient credits'), 'quota', 'add credit'],
    [400, error('context_length_exceeded'), 'context-overflow', 'too long'],
    [400, error('bad', "This model's maximum context length is 8192 tokens"), 'context-overflow', 'too long'],
    [413, text('Payload Too Large'), 'context-overflow', '413'],
    [400, error('content_filter'), 'refused', 'said the server'],
    [400, error('invalid_request_error'), 'bad-request', 'said the server'],
    [422, text('{"detail":"no such field"}'), 'bad-request', 'no such field'],
    [307, text(''), 'bad-answer', 'base URL'],
    [408, undefined, 'timeout', '408'],
    [500, undefined, 'server', '500'],
    [502, text('<html>Bad gateway</html>'), 'server', '502'],
    [503, undefined, 'overloaded', '503'],
    [529, error('overloaded_error'), 'overloaded', '529'],
  ])('with status %i (%#) is %s', async (status, body, code, words) => {
    const failure = await failureBy(provider, {
      kind: 'status',
      status,
      headers: { location: 'http://127.0.0.1:1/' },
      ...(body === undefined ? {} : { body: body(provider) }),
    });
    expect(failure).toMatchObject({ code, mayHaveCost: false });
    expect(failure.message).toContain(words);
    expect(failure.message).toMatch(new RegExp(String.raw`^${provider}/small at 127\.0\.0\.1:\d+: `));
  });

  it('is made once: retries belong to the limiter', async () => {
    await failureBy(provider, { kind: 'status', status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ date: 'Sun, 29 Nov 2026 10:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2026 10:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
  ])('with %j asks to wait %s ms', async (headers, retryAfter) => {
    expect((await failureBy(provider, { kind: 'status', status: 429, headers })).retryAfter).toBe(retryAfter);
  });

  it('never shows the key, even when the server does', async () => {
    const wrong = model(`${provider}/small`, 'sk-another-secret');
    const failure = await failureOf(wrong);
    expect(failure.message).toContain('Incorrect API key provided: [redacted]');
    expect(failure.message).not.toContain('secret');
  });

  it('of a model that the server does not have names it', async () => {
    const failure = await failureOf(model(`${provider}/large`));
    expect(failure).toMatchObject({ code: 'unknown-model', details: { model: `${provider}/large` } });
  });
});

/** A tool call without a name. */
const nameless: Readonly<Record<Provider, readonly object[]>> = {
  compatible: [
    {
      choices: [
        {
          delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
    },
  ],
  openai: [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', call_id: 'a' } },
    { type: 'response.completed', response: {} },
  ],
  anthropic: [
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ],
};

describe.each(formats)('an answer of $provider that breaks', ({ provider }) => {
  const cases: readonly (readonly [string, Misbehaviour, string])[] = [
    ['ends early but cleanly', { kind: 'early-end', after: 3 }, 'broken-stream'],
    ['ends before its first chunk', { kind: 'early-end', after: 0 }, 'broken-stream'],
    ['is reset in its middle', { kind: 'reset', after: 3 }, 'broken-stream'],
    ['stalls in its middle', { kind: 'stall', after: 3 }, 'timeout'],
    ['stalls before its first chunk', { kind: 'stall', after: 0 }, 'timeout'],
    ['never begins', { kind: 'no-answer' }, 'timeout'],
    ['is a page', { kind: 'body', contentType: 'text/html', body: '<html>Log in</html>' }, 'bad-answer'],
    ['is no event stream', { kind: 'body', contentType: 'application/json', body: '{"a":1}' }, 'bad-answer'],
    [
      'is an error with status 200',
      { kind: 'body', contentType: 'application/json', body: error('overloaded_error')(provider) },
      'overloaded',
    ],
    [
      'holds what is not JSON',
      { kind: 'body', contentType: 'text/event-stream', body: 'event: message_start\ndata: {oops\n\n' },
      'bad-answer',
    ],
    ['has no choices', { kind: 'chunks', chunks: [{ id: 'a', object: 'text' }] }, 'bad-answer'],
    ['has a tool call without a name', { kind: 'chunks', chunks: nameless[provider] }, 'bad-answer'],
    ...(
      [
        [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
        [{ code: 429, message: 'slow down' }, 'rate-limited'],
        [{ code: 'rate_limit_exceeded', message: 'slow down' }, 'rate-limited'],
        [{ type: 'insufficient_quota', message: 'pay' }, 'quota'],
        [{ code: 502, message: 'upstream' }, 'server'],
        [{ code: 'context_length_exceeded', message: 'long' }, 'context-overflow'],
        [{ type: 'authentication_error', message: 'who' }, 'auth'],
        [{ type: 'invalid_request_error', message: 'what' }, 'bad-request'],
        [{ message: 'something else' }, 'server'],
      ] as const
    ).map(
      ([told, code]) =>
        [
          `holds the error ${JSON.stringify(told)}`,
          { kind: 'error-event', after: 3, error: told },
          code,
        ] as const,
    ),
  ];

  it.each(cases)('because it %s is told, and may have cost something', async (_, how, code) => {
    expect(await failureBy(provider, how)).toMatchObject({ code, mayHaveCost: true });
  });

  it('is aborted by the caller at once, with the reason', async () => {
    server.misbehave({ kind: 'stall', after: 8 }, { next: 1 });
    const abort = new AbortController();
    const reason = new Error('stopped by hand');
    const reading = (async (): Promise<void> => {
      for await (const event of model(`${provider}/small`).chat(request, abort.signal)) {
        if (event.kind === 'text') abort.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
  });
});

/** A letter of two bytes, two bytes of reasoning, and a usage of nothing. */
const free: Readonly<Record<Provider, readonly object[]>> = {
  compatible: [
    { choices: [{ delta: { content: 'ä', reasoning: 'hm' }, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } },
  ],
  openai: [
    { type: 'response.reasoning_text.delta', delta: 'hm' },
    { type: 'response.output_text.delta', delta: 'ä' },
    { type: 'response.completed', response: { usage: { input_tokens: 0, output_tokens: 0 } } },
  ],
  anthropic: [
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'ä' } },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 0, output_tokens: 0 },
    },
    { type: 'message_stop' },
  ],
};

describe.each(formats)('usage of $provider', ({ provider }) => {
  it.each<readonly [string, Misbehaviour, number]>([
    ['is not told', { kind: 'no-usage' }, 36 + 6 + 17 + 2 * 16],
    ['is told as zero', { kind: 'chunks', chunks: free[provider] }, 4 + 16],
  ])('that %s is counted from the bytes, as an upper bound', async (_, how, outputTokens) => {
    server.misbehave(how, { next: 1 });
    expect(usageOf(await collect(model(`${provider}/small`).chat(request, signal)))).toEqual({
      inputTokens: inputBound(request),
      cachedInputTokens: 0,
      outputTokens,
    });
  });
});

describe('a stream that is left open', () => {
  const pieces = Math.ceil(36 / 7);
  const call = Math.ceil('{"status":"done"}'.length / 7);

  it('does not spoil an answer that is complete but for its usage', async () => {
    const chunks = 1 + pieces + (1 + call) + 1; // the role before, and the reason of the end behind
    server.misbehave({ kind: 'stall', after: chunks }, { next: 1 });
    const what = model('compatible/small', apiKey, { idleTimeout: 1000 });
    const events = await collect(what.chat(request, signal));
    expect(events.at(-1)).toMatchObject({ kind: 'end', stopReason: 'tool-calls' });
    expect(usageOf(events)).toMatchObject({ inputTokens: inputBound(request) });
  });

  it.each([
    ['openai', 4 + (1 + pieces + 2) + (1 + call + 2) + 1],
    ['anthropic', 2 + (2 + pieces) + (2 + call) + 2],
  ])('is not waited for behind the last event of %s', async (provider, events) => {
    server.misbehave({ kind: 'stall', after: events }, { next: 1 });
    const begin = performance.now();
    const all = await collect(model(`${provider}/small`).chat(request, signal));
    expect(all.at(-1)).toMatchObject({ kind: 'end', usage: { outputTokens: 15 } });
    expect(performance.now() - begin).toBeLessThan(4000);
  });
});

function framed(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`;
}

describe('a server that takes its time and gives signs of life', () => {
  const done = { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] };

  it.each([
    ['compatible', ': still at it\n\n', `data: ${JSON.stringify(done)}\n\ndata: [DONE]\n\n`],
    [
      'anthropic',
      framed('ping', {}),
      framed('message_delta', { delta: { stop_reason: 'end_turn' } }) + framed('message_stop', {}),
    ],
  ])('is waited for by %s', async (provider, sign, answer) => {
    const patient = createHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let signs = 0;
      const timer = setInterval(() => {
        signs += 1;
        response.write(sign);
        if (signs < 10) return;
        clearInterval(timer);
        response.end(answer);
      }, 100);
    });
    const baseUrl = await listen(patient);
    const what = model(`${provider}/small`, apiKey, { baseUrl, idleTimeout: 600 });
    const events = await collect(what.chat(request, signal));
    patient.close();
    expect(events.at(-1)).toMatchObject({ kind: 'end', stopReason: 'end' });
  });
});

describe.each(formats)('the connection to $provider', ({ provider }) => {
  it.each([
    ['a port that is closed', (closed: string): string => closed, /ECONNREFUSED/],
    ['a host that does not exist', (): string => 'http://no-such-host.invalid/v1', /ENOTFOUND|EAI_AGAIN/],
  ])('to %s fails before it has cost anything', async (_, baseUrl, words) => {
    await server.close();
    const failure = await failureOf(model(`${provider}/small`, apiKey, { baseUrl: baseUrl(server.baseUrl) }));
    expect(failure).toMatchObject({ code: 'network', mayHaveCost: false, isRetryable: true });
    expect(failure.message).toMatch(words);
  });

  it.each([
    ['closes it unanswered', (): string => '', 'network'],
    ['speaks another protocol', (): string => 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'bad-answer'],
  ])('to a server that %s', async (_, greet, code) => {
    const rude = createServer((socket) => {
      socket.once('data', () => {
        socket.end(greet());
      });
      socket.on('error', () => undefined);
    });
    const baseUrl = await listen(rude);
    const failure = await failureOf(model(`${provider}/small`, apiKey, { baseUrl }));
    rude.close();
    expect(failure).toMatchObject({ code, mayHaveCost: true });
  });
});
