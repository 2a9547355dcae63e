import type { ServerResponse } from 'node:http';
import type { Format } from './format.ts';

/** What the server does instead of answering. `after` is the number of events that it sends before. */
export type Misbehaviour =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** 200, and then something that is no answer. */
  | { readonly kind: 'body'; readonly contentType: string; readonly body: string }
  /** These events in place of the answer's, then the end. */
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

/** Sends the events of an answer, or what is to come in place of it. */
export async function sendAnswer(
  response: ServerResponse,
  format: Format,
  events: readonly object[],
  how: Misbehaviour | undefined,
): Promise<void> {
  const send = async (some: readonly object[]): Promise<void> => sendEvents(response, format, some);
  switch (how?.kind) {
    case undefined:
      await send(events);
      response.end(format.end);
      return undefined;
    case 'no-usage':
      await send(format.withoutUsage(events));
      response.end(format.end);
      return undefined;
    case 'chunks':
      await send(how.chunks);
      response.end(format.end);
      return undefined;
    case 'status': {
      const { status } = how;
      response.writeHead(status, { 'content-type': 'application/json', ...how.headers });
      const told = { status, code: 'misbehaviour', message: `status ${status}` };
      response.end(how.body ?? JSON.stringify(format.errorBody(told)));
      return undefined;
    }
    case 'body':
      response.writeHead(200, { 'content-type': how.contentType });
      response.end(how.body);
      return undefined;
    case 'stall':
      return send(events.slice(0, how.after));
    case 'reset':
      await send(events.slice(0, how.after));
      response.socket?.resetAndDestroy();
      return undefined;
    case 'early-end':
      await send(events.slice(0, how.after));
      response.end();
      return undefined;
    case 'error-event':
      await send(events.slice(0, how.after));
      response.end(format.errorEvent(how.error));
      return undefined;
    case 'no-answer':
      return undefined;
    default:
      return how satisfies never;
  }
}

async function sendEvents(
  response: ServerResponse,
  format: Format,
  events: readonly object[],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const event of events) {
    const { promise, resolve } = Promise.withResolvers<void>();
    response.write(format.frame(event), () => {
      resolve();
    });
    await promise;
  }
}
