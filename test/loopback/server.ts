import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ChatMessage } from '#protocol/models.ts';
import type { Price } from '#models/chat-model.ts';
import { ModelError } from '#models/errors.ts';
import type { Facts } from '#models/facts.ts';
import { callKeyHeader, decodeCallKey } from '#models/playbook/call-keys.ts';
import { playTurn, type PlayedTurn } from '#models/playbook/play-turn.ts';
import type { Playbook } from '#models/playbook/playbook.ts';
import { chatFormat } from './chat-format.ts';
import type { AskedTurn, Format, Told } from './format.ts';
import { messagesFormat } from './messages-format.ts';
import { Misbehaviours, sendAnswer, type Misbehaviour, type WhichCalls } from './misbehaviour.ts';
import { responsesFormat } from './responses-format.ts';

export interface LoopbackOptions {
  readonly playbook: Playbook;
  /** Turns with barriers are held back until their facts hold here. */
  readonly facts: Facts;
  /** Listed by `/v1/models` with their prices; others are refused when it is given. */
  readonly models?: Readonly<Record<string, Price>>;
  /** Calls must carry it when it is given. */
  readonly apiKey?: string;
  /** Characters of text or arguments in one event. */
  readonly pieceLength?: number;
  /** Any that is free when absent. */
  readonly port?: number;
}

const formats: ReadonlyMap<string, Format> = new Map(
  [chatFormat, responsesFormat, messagesFormat].map((format) => [format.path, format]),
);

/** A request as the server saw it. */
interface SeenRequest {
  readonly key: string;
  /** Which format it was in. */
  readonly path: string;
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

/** A model provider on 127.0.0.1 that speaks all wire formats and plays a playbook by the key header. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const misbehaviours = new Misbehaviours();
  const handler = new LoopbackHandler(options, misbehaviours, requests);
  const server = createServer((request, response) => {
    handler.handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, chatFormat, { status: 500, code: 'loopback-server', message: String(error) });
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(options.port ?? 0, '127.0.0.1', listening.resolve);
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
    const { apiKey, models = {} } = this.#options;
    const format = formats.get(request.url ?? '');
    const given = keyOf(request);
    if (apiKey !== undefined && given !== apiKey) {
      const message = `Incorrect API key provided: ${given ?? 'none'}`;
      sendError(response, format ?? chatFormat, { status: 401, code: 'invalid_api_key', message });
    } else if (request.method === 'GET' && request.url === '/v1/models') {
      sendJson(response, 200, { object: 'list', data: listModels(models) });
    } else if (request.method === 'POST' && format) {
      await this.#answer(format, request, response);
    } else {
      const message = `nothing at ${request.method} ${request.url}`;
      sendError(response, chatFormat, { status: 404, code: 'not_found', message });
    }
  }

  async #answer(format: Format, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort(new Error('the caller has gone'));
    });
    const header = request.headers[callKeyHeader];
    const key = typeof header === 'string' ? decodeCallKey(header) : undefined;
    const body = await text(request);
    let asked: AskedTurn;
    try {
      asked = format.read(JSON.parse(body), request.headers);
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      sendError(response, format, { status: 400, code: 'invalid_request_error', message });
      return;
    }
    if (key === undefined) {
      const message = `a request needs the header ${callKeyHeader}`;
      sendError(response, format, { status: 400, code: 'no-call-key', message });
      return;
    }
    const prompt = asked.messages.map((message) => message.text).join('\n');
    this.#requests.push({ key, path: format.path, ...asked, prompt });
    if (this.#options.models && !Object.hasOwn(this.#options.models, asked.model)) {
      const message = `The model '${asked.model}' does not exist`;
      sendError(response, format, { status: 404, code: 'model_not_found', message });
      return;
    }
    const how = this.#misbehaviours.take(key);
    const played = await this.#play(key, asked, how, gone.signal);
    if (played === undefined) return;
    if ('status' in played) sendError(response, format, played);
    else await sendAnswer(response, format, this.#events(format, played, asked), how);
  }

  #events(format: Format, turn: PlayedTurn, asked: AskedTurn): readonly object[] {
    const usage = asked.mayUseCache ? turn.usage : { ...turn.usage, cachedInputTokens: 0 };
    return format.events({ ...turn, usage }, asked, this.#options.pieceLength ?? 7);
  }

  /** What is wrong where the turn cannot be played; undefined when nobody waits for it any more. */
  async #play(
    key: string,
    asked: AskedTurn,
    how: Misbehaviour | undefined,
    signal: AbortSignal,
  ): Promise<PlayedTurn | Told | undefined> {
    const { playbook, facts } = this.#options;
    try {
      const after = playbook.turns.get(key)?.after ?? [];
      if (!how) await Promise.all(after.map(async (fact) => facts.when(fact, signal)));
      return playTurn(playbook, { callKey: key, ...asked });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!ModelError.is(error)) throw error;
      const { code, message } = error;
      return { status: code === 'playbook-contradicted' ? 409 : 400, code, message };
    }
  }
}

/** Both headers that Anthropic takes; the others know one. */
function keyOf({ headers }: IncomingMessage): string | undefined {
  const own = headers['x-api-key'];
  return typeof own === 'string' ? own : headers.authorization?.replace(/^Bearer /, '');
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

function sendError(response: ServerResponse, format: Format, told: Told): void {
  sendJson(response, told.status, format.errorBody(told));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
