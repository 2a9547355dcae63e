import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { ChatModel, ChatRequest } from '#models/chat-model.ts';
import { costOf, upperBound } from '#models/cost.ts';
import { Ledger } from '#models/ledger.ts';
import { Limiter } from '#models/limiter.ts';
import { callKeyHeader } from '#models/playbook/call-keys.ts';
import { fetchPrices } from '#models/prices.ts';
import { createModel } from '#models/provider.ts';
import { collect } from './collect.ts';
import { FactBoard } from './fact-board.ts';
import { playbookOf } from './playbooks.ts';
import { startLoopbackServer, type LoopbackServer } from './server.ts';

const names = Array.from({ length: 8 }, (_, index) => `w${index}`);
const playbook = playbookOf(
  { key: 'worker root 1 1', text: 'Hello.' },
  { key: 'worker root 1 2', text: 'Later.', after: ['root/a committed'] },
  ...names.map((name) => ({ key: `worker root/${name} 1 1`, text: name, after: ['root/w7 started'] })),
);
const signal = new AbortController().signal;

function request(callKey: string, text = 'Build it.'): ChatRequest {
  return {
    callKey,
    messages: [
      { role: 'system', text: 'You are a worker.' },
      { role: 'user', text },
    ],
    tools: [{ name: 'finish', description: 'ends', parameters: { type: 'object' } }],
    maxOutputTokens: 100,
    account: 'root',
  };
}

let facts: FactBoard;
let server: LoopbackServer;
let model: ChatModel;
beforeEach(async () => {
  facts = new FactBoard();
  const models = { small: { input: 100, cachedInput: 10, output: 400 } };
  server = await startLoopbackServer({ playbook, facts, models });
  const options = { baseUrl: server.baseUrl, environment: {}, scheduler: systemScheduler };
  model = createModel('compatible/small', options);
});
afterEach(async () => server.close());

async function post(
  body: unknown,
  key: string | undefined = 'worker root 1 1',
  path = '/chat/completions',
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: key === '' ? headers : { ...headers, [callKeyHeader]: key },
    body: JSON.stringify(body),
  });
}

async function postMessage(body: unknown): Promise<Response> {
  return post(body, undefined, '/messages', { 'anthropic-version': '2023-06-01' });
}

/** To the cache, as the Messages API tells it. */
async function tokensWritten(body: object): Promise<string | undefined> {
  const answer = await postMessage(body);
  return /"cache_creation_input_tokens":(\d+)/.exec(await answer.text())?.[1];
}

describe('the loopback server', () => {
  it('remembers what it was asked', async () => {
    await collect(model.chat(request('worker root 1 1'), signal));
    expect(server.requests).toMatchObject([
      {
        key: 'worker root 1 1',
        model: 'small',
        toolNames: ['finish'],
        maxOutputTokens: 100,
        prompt: 'You are a worker.\nBuild it.',
      },
    ]);
  });

  it('holds an answer back until the facts hold that the turn waits for', async () => {
    let ended = false;
    const call = (async (): Promise<void> => {
      await collect(model.chat(request('worker root 1 2'), signal));
      ended = true;
    })();
    await systemScheduler.sleep(100);
    expect(ended).toBe(false);
    facts.put('root/a committed');
    await call;
    expect(server.requests).toHaveLength(1);
  });

  const good = {
    model: 'small',
    messages: [{ role: 'user', content: 'a' }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 10,
  };
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };

  it.each([
    ['without the key header', good, '', 'no-call-key'],
    ['without a stream', { ...good, stream: false }, undefined, 'stream'],
    ['without an output cap', { ...good, max_tokens: undefined }, undefined, 'no cap'],
    ['with a field that is not known', { ...good, temprature: 1 }, undefined, 'temprature'],
    [
      'with a call that has no result',
      { ...good, messages: [{ role: 'assistant', content: null, tool_calls: [call] }, good.messages[0]] },
      undefined,
      'calls without a result: a',
    ],
    [
      'with a result of no call',
      { ...good, messages: [{ role: 'tool', tool_call_id: 'b', content: '' }] },
      undefined,
      "no call 'b' is open",
    ],
  ])('refuses a request %s', async (_, body, key, words) => {
    const response = await post(body, key);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
  });

  const item = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const input = [{ role: 'user', content: 'a' }];
  const response = { model: 'small', input, max_output_tokens: 100, store: false, stream: true };

  it.each([
    ['that would be kept', { ...response, store: true }, 'store'],
    ['without a stream', { ...response, stream: false }, 'stream'],
    ['without an output cap', { ...response, max_output_tokens: undefined }, 'max_output_tokens'],
    ['with a field that is not known', { ...response, messages: [] }, 'messages'],
    [
      'whose tools are strict',
      { ...response, tools: [{ type: 'function', name: 'f', strict: true }] },
      'strict',
    ],
    ['with an id of an item', { ...response, input: [...input, { ...item, id: 'fc_1' }] }, 'input'],
    [
      'with malformed arguments',
      { ...response, input: [...input, { ...item, arguments: '[]' }] },
      'no object',
    ],
    [
      'with a call that has no result',
      { ...response, input: [...input, item, ...input] },
      'without a result: a',
    ],
    [
      'with a result of no call',
      { ...response, input: [{ type: 'function_call_output', call_id: 'b', output: '' }] },
      "no call 'b' is open",
    ],
  ])('refuses a response %s', async (_, body, words) => {
    const answer = await post(body, undefined, '/responses');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining(words) as unknown },
    });
  });

  const text = { type: 'text', text: 'a' };
  const marked = { ...text, cache_control: { type: 'ephemeral' } };
  const asks = { role: 'user', content: [text] };
  const uses = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'b' };
  const message = { model: 'small', max_tokens: 100, messages: [asks], stream: true };
  const ask = (...content: readonly object[]): object => ({
    ...message,
    messages: [{ role: 'user', content }],
  });

  it.each([
    ['without a stream', { ...message, stream: false }, 'stream'],
    ['without an output cap', { ...message, max_tokens: undefined }, 'max_tokens'],
    ['with a field that is not known', { ...message, temperature: 1 }, 'temperature'],
    ['with a system message', { ...message, messages: [{ role: 'system', content: [text] }] }, 'role'],
    ['that the assistant begins', { ...message, messages: [uses] }, 'alternate'],
    ['with two turns of the user', { ...message, messages: [asks, asks] }, 'alternate'],
    ['with an empty text', ask({ ...text, text: ' ' }), 'whitespace'],
    ['with five marks', ask(marked, marked, marked, marked, marked), 'maximum of 4'],
    ['with a call that has no result', { ...message, messages: [asks, uses, asks] }, 'without a result: a'],
    [
      'with a result behind a text',
      { ...message, messages: [asks, uses, { role: 'user', content: [text, result] }] },
      'must come first',
    ],
    ['with a result of no call', ask(result), "no call 'a' is open"],
  ])('refuses a message %s', async (_, body, words) => {
    const answer = await postMessage(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(words) as unknown },
    });
  });

  it('refuses a message that does not say for which version it is', async () => {
    const answer = await post(message, undefined, '/messages');
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('anthropic-version')]);
  });

  it('writes to the cache of the Messages API only what the request allows', async () => {
    const long = { text: 'a'.repeat(400) };
    expect(await tokensWritten(ask({ ...text, ...long }))).toBe('0');
    expect(await tokensWritten(ask({ ...marked, ...long }))).toBe('97');
  });

  it('misbehaves to the next calls, or to calls of a key, until it is told to behave', async () => {
    server.misbehave({ kind: 'status', status: 500 }, { next: 2 });
    server.misbehave({ kind: 'status', status: 429 }, { keys: ['worker root 1 1'] });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await post(good)).status);
    server.behave();
    statuses.push((await post(good)).status);
    expect(statuses).toEqual([500, 500, 429, 429, 200]);
  });
});

describe('a provider that has a bad day', () => {
  it('is asked again, and the answer is whole', async () => {
    server.misbehave({ kind: 'status', status: 429, headers: { 'retry-after': '0' } }, { next: 1 });
    server.misbehave({ kind: 'reset', after: 2 }, { next: 1 });
    server.misbehave({ kind: 'early-end', after: 2 }, { next: 1 });
    const limiter = new Limiter(
      { scheduler: systemScheduler, randomness: new SeededRandomness(1) },
      { firstBackoff: 10 },
    );
    const retried: string[] = [];
    const events = await limiter.run(
      async (attemptSignal) => collect(model.chat(request('worker root 1 1'), attemptSignal)),
      signal,
      ({ error }) => {
        retried.push(error.code);
      },
    );
    expect(retried).toEqual(['rate-limited', 'broken-stream', 'broken-stream']);
    expect(events.at(-1)).toMatchObject({ kind: 'end', stopReason: 'end' });
  });
});

describe('calls whose answers wait for each other', () => {
  it('all get through the limiter, although it starts small', async () => {
    const limiter = new Limiter(
      { scheduler: systemScheduler, randomness: new SeededRandomness(1) },
      { firstConcurrency: 2, rampInterval: 20 },
    );
    const calls = names.map(async (name) =>
      limiter.run(async (attemptSignal) => {
        facts.put(`root/${name} started`);
        return collect(model.chat(request(`worker root/${name} 1 1`), attemptSignal));
      }, signal),
    );
    expect(await Promise.all(calls)).toHaveLength(8);
  });
});

describe('dollars', () => {
  it('are counted with the prices that the server tells, and are never more than was reserved', async () => {
    const price = (await fetchPrices(server.baseUrl, undefined, signal)).get('small');
    if (!price) throw new Error('the server tells its prices');
    const ledger = new Ledger({ usd: 0.1 });
    const what = request('worker root 1 1', 'x'.repeat(400));
    const bound = upperBound(what, price);
    const call = { key: what.callKey, account: 'root', model: 'compatible/small', privileged: false };
    expect(ledger.reserve({ ...call, ...bound }).kind).toBe('refused');
    const small = request('worker root 1 1');
    const reserved = ledger.reserve({ ...call, ...upperBound(small, price) });
    expect(reserved.kind).toBe('reserved');
    const end = (await collect(model.chat(small, signal))).at(-1);
    if (end?.kind !== 'end') throw new Error('an answer has an end');
    ledger.settle(what.callKey, end.usage, costOf(end.usage, price));
    expect(ledger.booked).toEqual({ usd: (7 * 100 + 2 * 400) / 1e6, tokens: 9 });
    expect(ledger.booked.usd).toBeLessThan(bound.usd ?? 0);
  });
});
