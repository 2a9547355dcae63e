import { createServer, type IncomingMessage, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemScheduler } from '#edges/scheduler.ts';
import { collect } from '../../test/loopback/collect.ts';
import type { ChatModel, ChatRequest } from './chat-model.ts';
import { isLoopback } from './is-loopback.ts';
import { createModel, findEndpoint, keysIn } from './provider.ts';
import { PlaybookModel } from './playbook/playbook-model.ts';
import { playbookOf } from '../../test/loopback/playbooks.ts';
import { FactBoard } from '../../test/loopback/fact-board.ts';

const local = 'http://127.0.0.1:11434/v1';
const scheduler = systemScheduler;
const emptyRequest: ChatRequest = {
  callKey: 'worker root 1 1',
  account: 'root',
  messages: [],
  tools: [],
  maxOutputTokens: 1,
};

function noModel(): ChatModel {
  throw new Error('nothing is to be made');
}

/** A server that answers all requests with 500. */
async function listen(
  host: string,
  see: (request: IncomingMessage) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    see(request);
    response.writeHead(500).end();
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, host, listening.resolve);
  await listening.promise;
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}

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
      'anthropic, openai, openrouter, ollama, lmstudio, compatible, playbook',
    ],
    [
      'playbook/x',
      {},
      undefined,
      'unknown-provider',
      'anthropic, openai, openrouter, ollama, lmstudio, compatible, playbook',
    ],
    ['openai/gpt-4.1', {}, undefined, 'no-key', 'set OPENAI_API_KEY'],
    ['openai/gpt-4.1', { OPENAI_API_KEY: ' ' }, local, 'no-key', 'set OPENAI_API_KEY'],
    ['anthropic/claude', { OPENAI_API_KEY: 'k' }, undefined, 'no-key', 'set ANTHROPIC_API_KEY'],
    ['openrouter/a/b', {}, local, 'no-key', 'set OPENROUTER_API_KEY'],
    ['ollama/x', {}, 'https://models.example/v1', 'no-key', 'set OLLAMA_API_KEY'],
    ['vscode/copilot/any', {}, undefined, 'unknown-provider', 'VS Code'],
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

describe('a base URL', () => {
  const environment = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };

  it.each([
    ['ollama/x', {}, 'http://127.0.0.1:11434/v1'],
    ['lmstudio/x', {}, 'http://127.0.0.1:1234/v1'],
    ['anthropic/x', {}, 'https://api.anthropic.com/v1'],
    ['anthropic/x', { baseUrl: 'http://a.example/' }, 'http://a.example'],
    [
      'anthropic/x',
      { baseUrl: 'http://a.example', baseUrls: { openai: 'http://b.example' } },
      'http://a.example',
    ],
    [
      'openai/x',
      { baseUrl: 'http://a.example', baseUrls: { openai: 'http://b.example' } },
      'http://b.example',
    ],
  ])('of %s with %j is %s', (choice, options, baseUrl) => {
    expect(findEndpoint(choice, { environment, ...options }).baseUrl).toBe(baseUrl);
  });

  it.each(['', '/v1', '/v1/'])('of Anthropic may end with %j', async (path) => {
    const paths: (string | undefined)[] = [];
    const { server, port } = await listen('127.0.0.1', (request) => {
      paths.push(request.url);
    });
    const model = createModel('anthropic/x', {
      baseUrl: `http://127.0.0.1:${port}${path}`,
      environment,
      scheduler,
    });
    await expect(collect(model.chat(emptyRequest, new AbortController().signal))).rejects.toThrow('500');
    server.close();
    expect(paths).toEqual(['/v1/messages']);
  });
});

describe('the models of a program around this one', () => {
  it('are among the known ones only where there is one', () => {
    const options = { environment: {}, scheduler };
    expect(() => createModel('nobody/x', { ...options, host: noModel })).toThrow(
      'compatible, vscode, playbook',
    );
    expect(() => createModel('nobody/x', options)).toThrow('compatible, playbook');
  });

  it('are made by that program', () => {
    const made = new PlaybookModel(playbookOf(), new FactBoard());
    const asked: string[][] = [];
    const model = createModel('vscode/copilot/any', {
      environment: {},
      scheduler,
      host: (...choice) => {
        asked.push(choice);
        return made;
      },
    });
    expect([model, asked]).toEqual([made, [['vscode', 'copilot/any']]]);
  });
});

describe('the keys in an environment', () => {
  it('are those of all providers, and nothing else', () => {
    const environment = {
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: ' b\n',
      OPENROUTER_API_KEY: 'c',
      OLLAMA_API_KEY: ' ',
      COMPATIBLE_API_KEY: 'd',
      PATH: '/bin',
    };
    expect(keysIn(environment)).toEqual(['a', 'b', 'c', 'd']);
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
  it.runIf(process.platform === 'linux').each(['compatible', 'openai', 'anthropic'])(
    'is not sent elsewhere by %s',
    async (provider) => {
      const seen: (string | undefined)[] = [];
      const { server, port } = await listen('0.0.0.0', (request) => {
        seen.push(request.rawHeaders.find((name) => name.toLowerCase() === 'x-swarmwright-call'));
      });
      for (const host of ['0.0.0.0', '127.0.0.1']) {
        const model = createModel(`${provider}/x`, {
          baseUrl: `http://${host}:${port}/v1`,
          environment: { COMPATIBLE_API_KEY: 'key', OPENAI_API_KEY: 'key', ANTHROPIC_API_KEY: 'key' },
          scheduler,
        });
        await expect(collect(model.chat(emptyRequest, new AbortController().signal))).rejects.toThrow('500');
      }
      server.close();
      expect(seen).toEqual([undefined, 'x-swarmwright-call']);
    },
  );
});
