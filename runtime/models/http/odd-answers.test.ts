import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Usage } from '#protocol/models.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import { collect } from '../../../test/loopback/collect.ts';
import { FactBoard } from '../../../test/loopback/fact-board.ts';
import { playbookOf } from '../../../test/loopback/playbooks.ts';
import { startLoopbackServer, type LoopbackServer } from '../../../test/loopback/server.ts';
import type { ChatEvent, ChatModel, ChatRequest } from '../chat-model.ts';
import { inputBound } from '../cost.ts';
import { createModel } from '../provider.ts';

const key = 'worker root 1 1';
const apiKey = 'sk-the-secret-of-this-test';
const request: ChatRequest = {
  callKey: key,
  messages: [{ role: 'user', text: 'Build it.' }],
  tools: [],
  maxOutputTokens: 500,
  account: 'root',
};
const signal = new AbortController().signal;

/** The three formats, each by a provider that speaks it. */
const formats = [
  { provider: 'compatible', variable: 'COMPATIBLE_API_KEY' },
  { provider: 'openai', variable: 'OPENAI_API_KEY' },
  { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
] as const;
type Provider = (typeof formats)[number]['provider'];

let server: LoopbackServer;
beforeEach(async () => {
  server = await startLoopbackServer({
    playbook: playbookOf({ key, text: 'none', calls: [] }),
    facts: new FactBoard(),
    apiKey,
    models: { small: { input: 1, cachedInput: 1, output: 1 } },
  });
});
afterEach(async () => server.close());

function model(provider: Provider, baseUrl = server.baseUrl): ChatModel {
  const environment = Object.fromEntries(formats.map(({ variable }) => [variable, apiKey]));
  return createModel(`${provider}/small`, { baseUrl, environment, scheduler: systemScheduler });
}

function usageOf(events: readonly ChatEvent[]): Usage | undefined {
  const end = events.at(-1);
  return end?.kind === 'end' ? end.usage : undefined;
}

/** An answer of two calls under one id, and a usage that cannot be. */
function oddAnswer(inputTokens: number, outputTokens: number): Readonly<Record<Provider, readonly object[]>> {
  const call = { id: 'same', function: { name: 'finish', arguments: '{}' } };
  const item = { type: 'function_call', call_id: 'same', name: 'finish', arguments: '{}' };
  const block = { type: 'tool_use', id: 'same', name: 'finish', input: {} };
  const usage = { input_tokens: inputTokens, output_tokens: outputTokens };
  return {
    compatible: [
      {
        choices: [
          {
            delta: {
              tool_calls: [
                { ...call, index: 0 },
                { ...call, index: 1 },
              ],
            },
            finish_reason: 'stop',
          },
        ],
      },
      { choices: [], usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens } },
    ],
    openai: [{ type: 'response.completed', response: { output: [item, item], usage } }],
    anthropic: [
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_start', index: 1, content_block: block },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
      { type: 'message_stop' },
    ],
  };
}

describe.each(formats)('an odd answer of $provider', ({ provider }) => {
  it.each([
    ['below zero', -1, -1],
    ['in fractions', 1.5, 2.5],
    ['beyond all models', 1e15, 1e15],
  ])('with a usage %s is an answer all the same, and not free', async (_, input, output) => {
    server.misbehave({ kind: 'chunks', chunks: oddAnswer(input, output)[provider] }, { next: 1 });
    const events = await collect(model(provider).chat(request, signal));
    expect(usageOf(events)).toEqual({
      inputTokens: inputBound(request),
      cachedInputTokens: 0,
      outputTokens: 2 * 'finish{}'.length + 3 * 16,
    });
  });

  it('with one id for two calls has two ids', async () => {
    server.misbehave({ kind: 'chunks', chunks: oddAnswer(1, 1)[provider] }, { next: 1 });
    const events = await collect(model(provider).chat(request, signal));
    const ids = events.flatMap((event) => (event.kind === 'tool-call' ? event.call.id : []));
    expect(ids).toEqual(['same', expect.not.stringMatching(/^(?:same)?$/u)]);
  });

  it.each([
    ['one line', 'data: ', 'x'.repeat(65_536)],
    ['signs of life', '', `: ${'still '.repeat(10_000)}\n\n`],
  ])('that goes on for ever with %s is given up', async (_, begin, piece) => {
    const endless = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(begin);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    const listening = Promise.withResolvers<void>();
    endless.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    const address = endless.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const reading = collect(model(provider, `http://127.0.0.1:${port}/v1`).chat(request, signal));
    await expect(reading).rejects.toMatchObject({
      code: 'bad-answer',
      mayHaveCost: true,
      message: expect.stringContaining('does not end'),
    });
    endless.close();
  });
});
