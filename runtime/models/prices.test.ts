import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { FactBoard } from '../../test/loopback/fact-board.ts';
import { playbookOf } from '../../test/loopback/playbooks.ts';
import { startLoopbackServer } from '../../test/loopback/server.ts';
import type { Price } from './chat-model.ts';
import { builtInPrice, fetchPrices, findPrice } from './prices.ts';

const signal = new AbortController().signal;
let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

async function listing(body: string, status = 200): Promise<string> {
  const listening = Promise.withResolvers<void>();
  server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`;
}

async function pricesAt(
  baseUrl: string,
  apiKey = 'sk-secret-key',
  abort = signal,
): Promise<ReadonlyMap<string, Price>> {
  return fetchPrices(baseUrl, apiKey, abort);
}

describe('the price of a choice', () => {
  const environment = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };

  it.each([
    ['openai/gpt-4.1', builtInPrice('openai/gpt-4.1') ?? null],
    ['openai/no-such-model', null],
    ['anthropic/no-such-model', null],
    ['vscode/copilot/any', null],
  ])('of %s is known, or known to be told by nobody, without asking', async (choice, price) => {
    // A request would reject.
    expect(await findPrice(choice, { environment }, AbortSignal.abort(new Error('asked')))).toEqual(price);
  });

  it.each(['openai/gpt-4.1', 'anthropic/claude-haiku-4-5', 'compatible/gpt-4.1'])(
    'of %s at another base URL is what the server there tells',
    async (choice) => {
      const [, id = ''] = choice.split('/');
      const told = { input: 3, cachedInput: 3, output: 4 };
      const baseUrl = await listing(
        JSON.stringify({ data: [{ id, pricing: { prompt: '0.000003', completion: '0.000004' } }] }),
      );
      expect(await findPrice(choice, { environment, baseUrl }, signal)).toEqual(told);
    },
  );
});

describe('prices', () => {
  it('are built in for well-known models, and for no others', () => {
    expect(builtInPrice('openai/gpt-4.1')).toEqual({ input: 2, cachedInput: 0.5, output: 8 });
    expect(builtInPrice('openai/gpt-4.1-2025-04-14')).toEqual(builtInPrice('openai/gpt-4.1'));
    expect(builtInPrice('anthropic/claude-haiku-4-5-20251001')).toEqual({
      input: 1.25, // 1 a million tokens, and a quarter more for writing them to the cache
      cachedInput: 0.1,
      output: 5,
    });
    expect(builtInPrice('compatible/gpt-4.1')).toBeUndefined();
    expect(builtInPrice('constructor')).toBeUndefined();
  });

  it('are read from a server that tells them', async () => {
    const models = { 'a/small': { input: 0.15, cachedInput: 0.075, output: 0.6 } };
    const loopback = await startLoopbackServer({
      playbook: playbookOf(),
      facts: new FactBoard(),
      apiKey: 'sk-secret-key',
      models,
    });
    expect(Object.fromEntries(await pricesAt(loopback.baseUrl))).toEqual(models);
    await expect(pricesAt(loopback.baseUrl, 'sk-wrong-key')).rejects.toMatchObject({
      code: 'auth',
      message: expect.stringMatching(/^(?!.*wrong-key).*check the key in the environment/) as unknown,
    });
    await loopback.close();
  });

  it('of models without one are left out, and a cached token without one costs as much as a fresh one', async () => {
    const data = [
      { id: 'plain', pricing: { prompt: '0.000001', completion: '0.000002' } },
      { id: 'free', pricing: { prompt: '0', completion: '0', input_cache_read: '0' } },
      { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
      { id: 'odd', pricing: { prompt: 'cheap', completion: '0' } },
      { id: 'unpriced' },
      { id: 'empty', pricing: { prompt: '', completion: '0' } },
      { id: 'null', pricing: { prompt: null, completion: '0' } },
      'text',
    ];
    expect(Object.fromEntries(await pricesAt(await listing(JSON.stringify({ data }))))).toEqual({
      plain: { input: 1, cachedInput: 1, output: 2 },
      free: { input: 0, cachedInput: 0, output: 0 },
    });
  });

  it.each([
    ['<html>', 200, 'bad-answer'],
    ['{"models":[]}', 200, 'bad-answer'],
    ['', 500, 'server'],
  ])('that come as %j with status %i are %s', async (body, status, code) => {
    await expect(pricesAt(await listing(body, status))).rejects.toMatchObject({ code });
  });

  it('are not waited for after an abort', async () => {
    const reason = new Error('stopped by hand');
    await expect(pricesAt('http://127.0.0.1:9/v1', 'k', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('that do not come in time are a timeout', async () => {
    const listening = Promise.withResolvers<void>();
    server = createServer(() => undefined);
    server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`;
    await expect(pricesAt(baseUrl, 'k', AbortSignal.timeout(100))).rejects.toMatchObject({ code: 'timeout' });
  });
});
