import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemScheduler } from '#edges/scheduler.ts';
import { collect } from '../../test/loopback/collect.ts';
import { isLoopback } from './is-loopback.ts';
import { createModel, findEndpoint } from './provider.ts';

const local = 'http://127.0.0.1:11434/v1';
const scheduler = systemScheduler;

describe('the choice of a model', () => {
  it('names a provider and the name that the provider knows, slashes included', () => {
    const options = { baseUrl: local, environment: {}, scheduler };
    expect(createModel('compatible/meta/llama-3:8b', options)).toMatchObject({
      provider: 'compatible',
      name: 'meta/llama-3:8b',
      scripted: false,
    });
  });

  it.each([
    ['gpt-4.1', {}, undefined, 'unknown-model', 'write PROVIDER/NAME'],
    ['openai/', {}, undefined, 'unknown-model', 'write PROVIDER/NAME'],
    [
      'opanai/gpt-4.1',
      {},
      undefined,
      'unknown-provider',
      'anthropic, openai, openrouter, ollama, lmstudio, compatible, vscode, playbook',
    ],
    [
      'playbook/x',
      {},
      undefined,
      'unknown-provider',
      'anthropic, openai, openrouter, ollama, lmstudio, compatible, vscode, playbook',
    ],
    ['openai/gpt-4.1', {}, undefined, 'no-key', 'set OPENAI_API_KEY'],
    ['openai/gpt-4.1', { OPENAI_API_KEY: ' ' }, local, 'no-key', 'set OPENAI_API_KEY'],
    ['compatible/x', { COMPATIBLE_API_KEY: 'k' }, undefined, 'bad-request', 'base URL'],
    ['compatible/x', {}, 'https://models.example/v1', 'no-key', 'set COMPATIBLE_API_KEY'],
    ['compatible/x', {}, 'models.example', 'bad-request', 'http://'],
    ['compatible/x', {}, 'http://user:pw@models.example', 'bad-request', 'without credentials'],
  ])('%s with %j at %s is refused as %s', (choice, environment, baseUrl, code, words) => {
    let thrown: unknown;
    try {
      createModel(choice, { environment, scheduler, ...(baseUrl === undefined ? {} : { baseUrl }) });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(words) as unknown });
    expect(String(thrown)).not.toContain('pw');
  });

  it('takes the key from the environment, and from nowhere else', () => {
    expect(findEndpoint('openai/gpt-4.1', { environment: { OPENAI_API_KEY: 'key\n' } })).toEqual({
      provider: 'openai',
      name: 'gpt-4.1',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'key',
      keyVariable: 'OPENAI_API_KEY',
    });
    expect(findEndpoint('compatible/x', { environment: {}, baseUrl: `${local}/` })).toEqual({
      provider: 'compatible',
      name: 'x',
      baseUrl: local,
      keyVariable: 'COMPATIBLE_API_KEY',
    });
  });
});

describe('the key of a call', () => {
  it.each([
    ['http://127.0.0.1:1/v1', true],
    ['http://127.8.9.10/v1', true],
    ['http://[::1]:1/v1', true],
    ['http://localhost/v1', true],
    ['http://localhost.example/v1', false],
    ['http://127.0.0.1.example/v1', false],
    ['http://10.0.0.1/v1', false],
    ['http://0.0.0.0/v1', false],
    ['https://api.openai.com/v1', false],
  ])('is for %s: %s', (url, loopback) => {
    expect(isLoopback(url)).toBe(loopback);
  });

  // On Linux 0.0.0.0 reaches this machine, and is no loopback address.
  it.runIf(process.platform === 'linux')('is not sent elsewhere', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.rawHeaders.find((name) => name.toLowerCase() === 'x-swarmwright-call'));
      response.writeHead(500).end();
    });
    const listening = Promise.withResolvers<void>();
    server.listen(0, '0.0.0.0', listening.resolve);
    await listening.promise;
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    for (const host of ['0.0.0.0', '127.0.0.1']) {
      const model = createModel('compatible/x', {
        baseUrl: `http://${host}:${port}/v1`,
        environment: { COMPATIBLE_API_KEY: 'key' },
        scheduler,
      });
      const call = model.chat(
        { callKey: 'worker root 1 1', account: 'root', messages: [], tools: [], maxOutputTokens: 1 },
        new AbortController().signal,
      );
      await expect(collect(call)).rejects.toThrow('500');
    }
    server.close();
    expect(seen).toEqual([undefined, 'x-swarmwright-call']);
  });
});
