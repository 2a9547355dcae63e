import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemScheduler } from '#edges/scheduler.ts';
import type { ChatMessage } from '#protocol/models.ts';
import { collect } from '../../test/loopback/collect.ts';
import { FactBoard } from '../../test/loopback/fact-board.ts';
import { playbookOf } from '../../test/loopback/playbooks.ts';
import { startLoopbackServer, type LoopbackServer } from '../../test/loopback/server.ts';
import type { ChatEvent, ChatModel, ChatRequest, ToolSpec } from './chat-model.ts';
import { upperBound } from './cost.ts';
import { ModelError } from './errors.ts';
import { toolCallId } from './playbook/call-keys.ts';
import { PlaybookModel } from './playbook/playbook-model.ts';
import { createModel } from './provider.ts';

const long = 'Zeile "mit" 😀 und \\ Schrägstrich\n'.repeat(40);
const written = { path: 'src/größe.js', content: long };
const playbook = playbookOf(
  {
    key: 'worker root/a 1 1',
    text: `I write.\n${long}`,
    calls: [
      { tool: 'read_file', args: {}, expect: new Map() },
      { tool: 'write_file', args: written, expect: new Map([['outcome', 'written']]) },
    ],
  },
  { key: 'worker root/a 1 2', text: 'Done.', after: ['root/b committed'] },
  { key: 'resolver src/größe 100%.js root/a+root/b 1 1', text: 'Both.' },
);
const first = 'worker root/a 1 1';
const second = 'worker root/a 1 2';
const tools: readonly ToolSpec[] = [
  { name: 'read_file', description: 'reads', parameters: { type: 'object', properties: {} } },
];
const begin: readonly ChatMessage[] = [
  { role: 'system', text: 'You are a worker.' },
  { role: 'user', text: 'Build it.' },
];

function request(callKey: string, messages: readonly ChatMessage[] = begin): ChatRequest {
  return { callKey, messages, tools, maxOutputTokens: 4000, account: 'root/a' };
}

function afterFirst(outcome: string): ChatMessage[] {
  const calls = [
    { id: toolCallId(first, 0), name: 'read_file', args: '{}' },
    { id: toolCallId(first, 1), name: 'write_file', args: JSON.stringify(written) },
  ];
  return [
    ...begin,
    { role: 'assistant', text: '', toolCalls: calls },
    { role: 'tool', callId: toolCallId(first, 0), text: 'path=a lines=1-1 of=1' },
    { role: 'tool', callId: toolCallId(first, 1), text: `outcome=${outcome} path=a` },
  ];
}

function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

const signal = new AbortController().signal;
let facts: FactBoard;
let server: LoopbackServer;
beforeAll(async () => {
  facts = new FactBoard();
  server = await startLoopbackServer({ playbook, facts });
});
afterAll(async () => server.close());

function served(choice: string): ChatModel {
  return createModel(choice, {
    baseUrl: server.baseUrl,
    environment: { OPENAI_API_KEY: 'key', ANTHROPIC_API_KEY: 'key' },
    scheduler: systemScheduler,
  });
}

const models: Readonly<Record<string, () => ChatModel>> = {
  'the playbook model': () => new PlaybookModel(playbook, facts),
  'an OpenAI-compatible server': () => served('compatible/loopback'),
  'the OpenAI Responses API': () => served('openai/loopback'),
  'the Anthropic Messages API': () => served('anthropic/loopback'),
};

describe.each(Object.entries(models))('%s', (_, create) => {
  it('streams text, then the tool calls in order, then one end with the usage', async () => {
    const events = await collect(create().chat(request(first), signal));
    expect(textOf(events)).toBe(`I write.\n${long}`);
    expect(events.filter((event) => event.kind !== 'text')).toEqual([
      { kind: 'tool-call', call: { id: toolCallId(first, 0), name: 'read_file', args: '{}' } },
      {
        kind: 'tool-call',
        call: { id: toolCallId(first, 1), name: 'write_file', args: JSON.stringify(written) },
      },
      {
        kind: 'end',
        stopReason: 'tool-calls',
        usage: { inputTokens: 7, cachedInputTokens: 0, outputTokens: 797 },
      },
    ]);
  });

  it('goes on from the results, once the facts hold that the turn waits for', async () => {
    facts.put('root/b committed');
    const what = request(second, afterFirst('written'));
    const model = create();
    await model.ready(what, signal);
    const events = await collect(model.chat(what, signal));
    expect(textOf(events)).toBe('Done.');
    expect(events.at(-1)).toEqual({
      kind: 'end',
      stopReason: 'end',
      usage: { inputTokens: 442, cachedInputTokens: 6, outputTokens: 2 },
    });
  });

  it('uses no more than the upper bound', async () => {
    const what = request(first);
    const end = (await collect(create().chat(what, signal))).at(-1);
    const used = end?.kind === 'end' ? end.usage.inputTokens + end.usage.outputTokens : Infinity;
    expect(used).toBeLessThanOrEqual(upperBound(what, null).tokens);
  });

  it('plays a turn whose key has characters that no header can hold', async () => {
    const what = request('resolver src/größe 100%.js root/a+root/b 1 1');
    expect(textOf(await collect(create().chat(what, signal)))).toBe('Both.');
  });

  it.each([
    ['is missing', request('worker root/a 3 1'), "'worker root/a 3 1'"],
    [
      'is contradicted',
      request(second, afterFirst('rejected')),
      "'worker root/a 1 1' expected 'outcome=written'",
    ],
  ])('fails when a turn %s, names the key and is not retried', async (__, what, message) => {
    const error = await collect(create().chat(what, signal)).catch((cause: unknown) => cause);
    expect(ModelError.is(error)).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringContaining(message) as unknown,
      isRetryable: false,
      mayHaveCost: false,
    });
  });

  it('rejects with the reason of an abort, before and during the answer', async () => {
    const reason = new Error('stopped by hand');
    const before = AbortSignal.abort(reason);
    await expect(collect(create().chat(request(first), before))).rejects.toBe(reason);
    await expect(create().ready(request(first), before)).rejects.toBe(reason);
    const during = new AbortController();
    const reading = (async (): Promise<void> => {
      for await (const event of create().chat(request(first), during.signal)) {
        if (event.kind === 'text') during.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
  });

  it('can be left in the middle of an answer', async () => {
    for await (const event of create().chat(request(first), signal)) {
      expect(event.kind).toBe('text');
      break;
    }
  });
});
