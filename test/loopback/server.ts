import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ChatMessage } from '#protocol/models.ts';
import type { Price } from '#models/chat-model.ts';
import { ModelError } from '#models/errors.ts';
import type { Facts } from '#models/facts.ts';
import { callKeyHeader, decodeCallKey } from '#models/playbook/call-keys.ts';
import { playTurn } from '#models/playbook/play-turn.ts';
import type { Playbook } from '#models/playbook/playbook.ts';
import { Misbehaviours, sendAnswer, type Misbehaviour, type WhichCalls } from './misbehaviour.ts';
import { completionChunks, readCompletionRequest, type CompletionRequest } from './wire.ts';

export interface LoopbackOptions {
  readonly playbook: Playbook;
  /** Turns with barriers are held back until their facts hold here. */
  readonly facts: Facts;
  /** Listed by `/v1/models` with their prices; others are refused when it is given. */
  readonly models?: Readonly<Record<string, Price>>;
  /** Calls must carry it when it is given. */
  readonly apiKey?: string;
  /** Characters of text or arguments in one chunk. */
  readonly pieceLength?: number;
}

/** A request as the server saw it. */
interface SeenRequest {
  readonly key: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly toolNames: readonly string[];
  readonly maxOutputTokens: number;
  /** All texts of the messages, joined by line breaks. */
  readonly prompt: string;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** In the order in which they came, those that it misbehaved to included. */
  readonly requests: readonly SeenRequest[];
  misbehave(how: Misbehaviour, which: WhichCalls): void;
  behave(): void;
  close(): Promise<void>;
}

/** A model provider on 127.0.0.1 that speaks OpenAI's Chat Completions and plays a playbook by the key header. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const misbehaviours = new Misbehaviours();
  const handler = new LoopbackHandler(options, misbehaviours, requests);
  const server = createServer((request, response) => {
    handler.handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, 'loopback-server', String(error));
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('a TCP server has an address and a port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    misbehave: (how, which) => {
      misbehaviours.add(how, which);
    },
    behave: () => {
      misbehaviours.clear();
    },
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => {
        closed.resolve();
      });
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

class LoopbackHandler {
  readonly #options: LoopbackOptions;
  readonly #misbehaviours: Misbehaviours;
  readonly #requests: SeenRequest[];

  constructor(options: LoopbackOptions, misbehaviours: Misbehaviours, requests: SeenRequest[]) {
    this.#options = options;
    this.#misbehaviours = misbehaviours;
    this.#requests = requests;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { apiKey } = this.#options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      const given = request.headers.authorization ?? 'none';
      sendError(response, 401, 'invalid_api_key', `Incorrect API key provided: ${given}`);
    } else if (request.method === 'GET' && request.url === '/v1/models') {
      sendJson(response, 200, { object: 'list', data: listModels(this.#options.models ?? {}) });
    } else if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      await this.#complete(request, response);
    } else {
      sendError(response, 404, 'not_found', `nothing at ${request.method} ${request.url}`);
    }
  }

  async #complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort(new Error('the caller has gone'));
    });
    const header = request.headers[callKeyHeader];
    const key = typeof header === 'string' ? decodeCallKey(header) : undefined;
    const body = await text(request);
    let asked: CompletionRequest;
    try {
      asked = readCompletionRequest(body);
    } catch (error) {
      sendError(response, 400, 'invalid_request_error', error instanceof Error ? error.message : '');
      return;
    }
    if (key === undefined) {
      sendError(response, 400, 'no-call-key', `a request needs the header ${callKeyHeader}`);
      return;
    }
    this.#requests.push({ key, ...asked, prompt: asked.messages.map((message) => message.text).join('\n') });
    if (this.#options.models && !Object.hasOwn(this.#options.models, asked.model)) {
      sendError(response, 404, 'model_not_found', `The model '${asked.model}' does not exist`);
      return;
    }
    const how = this.#misbehaviours.take(key);
    const chunks = await this.#play(key, asked, how, gone.signal, response);
    if (chunks) await sendAnswer(response, chunks, how);
  }

  /** Undefined when the turn cannot be played; that has been answered then. */
  async #play(
    key: string,
    asked: CompletionRequest,
    how: Misbehaviour | undefined,
    signal: AbortSignal,
    response: ServerResponse,
  ): Promise<readonly object[] | undefined> {
    const { playbook, facts, pieceLength = 7 } = this.#options;
    try {
      const after = playbook.turns.get(key)?.after ?? [];
      if (!how) await Promise.all(after.map(async (fact) => facts.when(fact, signal)));
      const turn = playTurn(playbook, { callKey: key, ...asked });
      return completionChunks(turn, asked.model, pieceLength);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!ModelError.is(error)) throw error;
      sendError(response, error.code === 'playbook-contradicted' ? 409 : 400, error.code, error.message);
      return undefined;
    }
  }
}

/** As OpenRouter lists models: dollars per token, as text (https://openrouter.ai/docs/api-reference/list-available-models). */
function listModels(models: Readonly<Record<string, Price>>): object[] {
  return Object.entries(models).map(([id, price]) => ({
    id,
    object: 'model',
    pricing: {
      prompt: perToken(price.input),
      completion: perToken(price.output),
      input_cache_read: perToken(price.cachedInput),
    },
  }));
}

function perToken(perMillion: number): string {
  return (perMillion / 1e6).toFixed(12);
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { error: { message, type: code, param: null, code } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
