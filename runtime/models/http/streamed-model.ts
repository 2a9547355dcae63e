import type { Scheduler } from '#edges/scheduler.ts';
import type { ChatEvent, ChatRequest } from '#protocol/models.ts';
import type { ChatModel } from '../chat-model.ts';
import { inputBound } from '../cost.ts';
import { ModelError } from '../errors.ts';
import { isLoopback } from '../is-loopback.ts';
import { callKeyHeader, encodeCallKey } from '../playbook/call-keys.ts';
import type { AnswerReader } from './answer.ts';
import { failureFromProvider, failureFromTransport, modelError, type CallPlace } from './classify-failure.ts';
import type { Endpoint, Wire, WireClient } from './wire.ts';

export interface StreamedModelOptions {
  readonly endpoint: Endpoint;
  readonly wire: Wire;
  readonly scheduler: Scheduler;
  /** Milliseconds until the server must have begun to answer. */
  readonly connectTimeout?: number;
  /** Milliseconds that may pass without a byte; the format's own when absent. */
  readonly idleTimeout?: number;
}

const connectTimeout = 60_000;
/** On this machine a model may have to be loaded, and reads a long prompt before it says anything. */
const localConnectTimeout = 300_000;
/** However many signs of life a server sends, an event must come at last. */
const eventTimeout = 600_000;

/**
 * Bytes of an answer that are read at most: what is around each token, many times over. A model that has lost its way
 * goes on for ever, and some servers do not mind the cap.
 */
function mostBytes({ maxOutputTokens }: ChatRequest): number {
  return 16 * 1024 * 1024 + 1024 * maxOutputTokens;
}

/** How long a server may take over the usage once the answer is complete. */
const usageTimeout = 5000;

/**
 * A model behind an HTTP server that streams its answers. Time limits, what counts as a whole answer, and the words for
 * what went wrong are here, once for all formats; an SDK only sends, and takes the stream apart.
 */
export class StreamedModel implements ChatModel {
  readonly provider: string;
  readonly name: string;
  readonly scripted = false;
  readonly #options: StreamedModelOptions;
  readonly #onLoopback: boolean;
  #client: Promise<WireClient> | undefined;

  constructor(options: StreamedModelOptions) {
    const { provider, name, baseUrl } = options.endpoint;
    this.provider = provider;
    this.name = name;
    this.#options = options;
    this.#onLoopback = isLoopback(baseUrl);
  }

  /** Nothing orders the calls of a live model. */
  async ready(_request: ChatRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    signal.throwIfAborted();
    const { wire, endpoint } = this.#options;
    this.#client ??= wire.connect(endpoint);
    const client = await this.#client;
    const pulse = new Pulse(mostBytes(request));
    // Aborted at the end whatever happened: a stream that nobody reads would keep its socket.
    const end = new AbortController();
    let place = this.#place(false);
    try {
      const { data, response } = await this.#within(
        this.#options.connectTimeout ?? (this.#onLoopback ? localConnectTimeout : connectTimeout),
        client.send(request, {
          signal: AbortSignal.any([signal, end.signal]),
          headers: this.#onLoopback ? { [callKeyHeader]: encodeCallKey(request.callKey) } : {},
          fetch: pulse.fetch,
        }),
        place,
      );
      place = this.#place(true);
      await this.#refuseOtherContent(response, place);
      yield* this.#readAnswer(request, { events: data[Symbol.asyncIterator](), pulse }, place, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (pulse.isTooLong) throw modelError('bad-answer', 'the answer does not end', place);
      throw toModelError(error, client, place);
    } finally {
      end.abort();
    }
    signal.throwIfAborted();
  }

  async *#readAnswer(
    request: ChatRequest,
    stream: EventStream,
    place: CallPlace,
    signal: AbortSignal,
  ): AsyncIterable<ChatEvent> {
    const answer = this.#options.wire.readAnswer(request.callKey, {
      inputTokens: inputBound(request),
      cachedInputTokens: 0,
      outputTokens: request.maxOutputTokens,
    });
    while (!answer.isOver) {
      // oxlint-disable-next-line no-await-in-loop -- an event comes after the one before it
      const next = await this.#nextEvent(stream, answer, place);
      if (next === undefined) break;
      const accepted = answer.accept(next.event);
      if (accepted.kind === 'failure') throw failureFromProvider({ body: accepted.body }, place);
      if (accepted.kind === 'foreign') {
        throw modelError('bad-answer', `no part of an answer: ${JSON.stringify(next.event)}`, place);
      }
      if (accepted.text !== '') yield { kind: 'text', text: accepted.text };
    }
    // The SDK ends without an error when the stream is aborted, and when the server closes it in its middle.
    signal.throwIfAborted();
    if (!answer.isFinished)
      throw modelError('broken-stream', 'the answer ended before it was complete', place);
    const whole = answer.finish();
    if (!whole) throw modelError('bad-answer', 'a tool call without a name', place);
    for (const call of whole.toolCalls) yield { kind: 'tool-call', call };
    yield { kind: 'end', stopReason: whole.stopReason, usage: whole.usage };
  }

  /** Undefined at the end. Once the answer is complete only its usage is missing, which is not worth a repeated call. */
  async #nextEvent(
    { events, pulse }: EventStream,
    answer: AnswerReader,
    place: CallPlace,
  ): Promise<{ readonly event: unknown } | undefined> {
    try {
      const next = answer.isFinished
        ? await this.#within(Math.min(this.#idleTimeout, usageTimeout), events.next(), place)
        : await this.#within(
            eventTimeout,
            this.#within(this.#idleTimeout, events.next(), place, pulse),
            place,
          );
      return next.done === true ? undefined : { event: next.value };
    } catch (error) {
      if (answer.isFinished) return undefined;
      throw error;
    }
  }

  /** The SDK reads a page or a JSON body as a stream without events. */
  async #refuseOtherContent(response: Response, place: CallPlace): Promise<void> {
    const type = response.headers.get('content-type') ?? '';
    if (!/^(text\/html|application\/json)/i.test(type)) return;
    const body = await this.#within(this.#idleTimeout, readStart(response), place);
    const error = errorIn(body);
    if (error !== undefined) throw failureFromProvider({ body: error }, place);
    throw modelError('bad-answer', `${type} in place of a stream: ${body}`, place);
  }

  get #idleTimeout(): number {
    return this.#options.idleTimeout ?? this.#options.wire.idleTimeout;
  }

  /**
   * @param pulse begins the time anew at each beat
   * @throws ModelError `timeout` when the work has not ended in time; the caller aborts it then
   */
  async #within<T>(milliseconds: number, work: Promise<T>, place: CallPlace, pulse?: Pulse): Promise<T> {
    const late = Promise.withResolvers<never>();
    const start = (): (() => void) =>
      this.#options.scheduler.after(milliseconds, () => {
        const what = place.answering ? 'nothing more came' : 'no answer came';
        late.reject(modelError('timeout', `${what} within ${milliseconds} ms`, place, { mayHaveCost: true }));
      });
    let cancel = start();
    pulse?.listen(() => {
      cancel();
      cancel = start();
    });
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      pulse?.listen(undefined);
      cancel();
    }
  }

  #place(answering: boolean): CallPlace {
    const { endpoint, wire } = this.#options;
    const { baseUrl, apiKey, keyVariable } = endpoint;
    return {
      model: `${this.provider}/${this.name}`,
      host: new URL(baseUrl).host,
      secrets: apiKey === undefined ? [] : [apiKey],
      keyVariable,
      server: wire.server,
      answering,
    };
  }
}

function toModelError(error: unknown, client: WireClient, place: CallPlace): ModelError {
  if (ModelError.is(error)) return error;
  const told = client.toldBy(error);
  return told ? failureFromProvider(told, place) : failureFromTransport(error, place);
}

interface EventStream {
  readonly events: AsyncIterator<unknown>;
  readonly pulse: Pulse;
}

/**
 * Tells of the bytes of one answer: SDKs keep the signs of life to themselves that are no events, and would keep any
 * number of bytes that are no event yet.
 */
class Pulse {
  readonly #most: number;
  #bytes = 0;
  #beat: (() => void) | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get isTooLong(): boolean {
    return this.#bytes > this.#most;
  }

  listen(beat: (() => void) | undefined): void {
    this.#beat = beat;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        this.#bytes += bytes.length;
        if (this.isTooLong) throw new RangeError('too many bytes');
        this.#beat?.();
        controller.enqueue(bytes);
      },
    });
    return new Response(response.body.pipeThrough(counted), response);
  };
}

/** The first 64 KB of a body, which is enough to say what it is. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > 65_536) break;
  }
  return text;
}

/** The `error` of a JSON body, if it has one. */
function errorIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
  } catch {
    return undefined;
  }
}
