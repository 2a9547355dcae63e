import type { ServerResponse } from 'node:http';

/** What the server does instead of answering. `after` is the number of chunks that it sends before. */
export type Misbehaviour =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** 200, and then something that is not a chat completion. */
  | { readonly kind: 'body'; readonly contentType: string; readonly body: string }
  /** These chunks in place of the answer's, then `[DONE]`. */
  | { readonly kind: 'chunks'; readonly chunks: readonly object[] }
  | { readonly kind: 'stall'; readonly after: number }
  /** Closes the connection with a TCP reset. */
  | { readonly kind: 'reset'; readonly after: number }
  /** Ends cleanly, as if nothing were missing. */
  | { readonly kind: 'early-end'; readonly after: number }
  | { readonly kind: 'error-event'; readonly after: number; readonly error: object }
  /** The whole answer, but no usage. */
  | { readonly kind: 'no-usage' }
  /** Takes the request and sends nothing at all. */
  | { readonly kind: 'no-answer' };

export interface WhichCalls {
  /** The next calls, whatever their key. */
  readonly next?: number;
  /** Every call of these keys. */
  readonly keys?: readonly string[];
}

interface Order {
  readonly how: Misbehaviour;
  readonly keys: ReadonlySet<string>;
  left: number;
}

/** Orders to misbehave, first given first used. */
export class Misbehaviours {
  readonly #orders: Order[] = [];

  add(how: Misbehaviour, which: WhichCalls): void {
    this.#orders.push({ how, left: which.next ?? 0, keys: new Set(which.keys) });
  }

  clear(): void {
    this.#orders.length = 0;
  }

  take(key: string): Misbehaviour | undefined {
    const order = this.#orders.find(({ left, keys }) => left > 0 || keys.has(key));
    if (order && order.left > 0) order.left -= 1;
    return order?.how;
  }
}

/** Sends the chunks of an answer, or what is to come in place of it. */
export async function sendAnswer(
  response: ServerResponse,
  chunks: readonly object[],
  how: Misbehaviour | undefined,
): Promise<void> {
  switch (how?.kind) {
    case undefined:
      await sendChunks(response, chunks);
      return endStream(response);
    case 'no-usage':
      await sendChunks(response, chunks.slice(0, -1));
      return endStream(response);
    case 'chunks':
      await sendChunks(response, how.chunks);
      return endStream(response);
    case 'status':
      response.writeHead(how.status, { 'content-type': 'application/json', ...how.headers });
      response.end(how.body ?? JSON.stringify({ error: { message: `status ${how.status}` } }));
      return undefined;
    case 'body':
      response.writeHead(200, { 'content-type': how.contentType });
      response.end(how.body);
      return undefined;
    case 'stall':
      return sendChunks(response, chunks.slice(0, how.after));
    case 'reset':
      await sendChunks(response, chunks.slice(0, how.after));
      response.socket?.resetAndDestroy();
      return undefined;
    case 'early-end':
      await sendChunks(response, chunks.slice(0, how.after));
      response.end();
      return undefined;
    case 'error-event':
      await sendChunks(response, chunks.slice(0, how.after));
      response.end(`event: error\ndata: ${JSON.stringify({ error: how.error })}\n\n`);
      return undefined;
    case 'no-answer':
      return undefined;
    default:
      return how satisfies never;
  }
}

async function sendChunks(response: ServerResponse, chunks: readonly object[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const chunk of chunks) {
    const { promise, resolve } = Promise.withResolvers<void>();
    response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => {
      resolve();
    });
    await promise;
  }
}

function endStream(response: ServerResponse): void {
  response.end('data: [DONE]\n\n');
}
