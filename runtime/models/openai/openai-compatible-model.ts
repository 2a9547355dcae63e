import type { OpenAI } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import type { Scheduler } from '#edges/scheduler.ts';
import type { ChatEvent, ChatModel, ChatRequest } from '../chat-model.ts';
import { inputBound } from '../cost.ts';
import { ModelError } from '../errors.ts';
import { isLoopback } from '../is-loopback.ts';
import { callKeyHeader, encodeCallKey } from '../playbook/call-keys.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { failureFromProvider, failureFromTransport, modelError, type CallPlace } from './classify-failure.ts';
import { toWireMessage, toWireTool } from './wire-messages.ts';

export interface OpenAiCompatibleOptions {
  readonly provider: string;
  readonly name: string;
  /** With the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Absent for a server that asks for none. */
  readonly apiKey?: string;
  /** The environment variable that the key comes from, for error messages. */
  readonly keyVariable: string;
  /** `max_completion_tokens` is OpenAI's own today; other servers know `max_tokens`. */
  readonly outputCap: 'max_completion_tokens' | 'max_tokens';
  readonly scheduler: Scheduler;
  /** Milliseconds until the server must have begun to answer; 60 s when absent. */
  readonly connectTimeout?: number;
  /** Milliseconds that may pass without a chunk; 60 s when absent. */
  readonly idleTimeout?: number;
}

type ClientErrors = Pick<typeof OpenAI, 'APIConnectionError' | 'APIError'>;

/** How long a server may take over the usage once the answer is complete. */
const usageTimeout = 5000;
/** setTimeout's largest: the SDK's own timeout is never to be the one that fires. */
const never = 2 ** 31 - 1;

/** A model behind any server that speaks OpenAI's Chat Completions, over the `openai` SDK. */
export class OpenAiCompatibleModel implements ChatModel {
  readonly provider: string;
  readonly name: string;
  readonly scripted = false;
  readonly #options: OpenAiCompatibleOptions;
  readonly #onLoopback: boolean;
  #client: Promise<{ readonly client: OpenAI; readonly errors: ClientErrors }> | undefined;

  constructor(options: OpenAiCompatibleOptions) {
    this.provider = options.provider;
    this.name = options.name;
    this.#options = options;
    this.#onLoopback = isLoopback(options.baseUrl);
  }

  /** Nothing orders the calls of a live model. */
  async ready(_request: ChatRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    signal.throwIfAborted();
    this.#client ??= this.#connect();
    const { client, errors } = await this.#client;
    // Aborted at the end whatever happened: a stream that nobody reads would keep its socket.
    const end = new AbortController();
    let place = this.#place(false);
    try {
      const { data, response } = await this.#within(
        this.#options.connectTimeout ?? 60_000,
        client.chat.completions
          .create(this.#params(request), {
            signal: AbortSignal.any([signal, end.signal]),
            headers: this.#onLoopback ? { [callKeyHeader]: encodeCallKey(request.callKey) } : {},
          })
          .withResponse(),
        place,
      );
      place = this.#place(true);
      await this.#refuseOtherContent(response, place);
      yield* this.#readAnswer(request, data[Symbol.asyncIterator](), place, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error, errors, place);
    } finally {
      end.abort();
    }
    signal.throwIfAborted();
  }

  async *#readAnswer(
    request: ChatRequest,
    chunks: AsyncIterator<ChatCompletionChunk>,
    place: CallPlace,
    signal: AbortSignal,
  ): AsyncIterable<ChatEvent> {
    const answer = new AnswerAssembler(request.callKey, {
      inputTokens: inputBound(request),
      cachedInputTokens: 0,
      outputTokens: request.maxOutputTokens,
    });
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a chunk comes after the one before it
      const chunk = await this.#nextChunk(chunks, answer, place);
      if (chunk === undefined) break;
      const text = answer.accept(chunk);
      if (text === undefined)
        throw modelError('bad-answer', `no chat chunk: ${JSON.stringify(chunk)}`, place);
      if (text !== '') yield { kind: 'text', text };
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
  async #nextChunk(
    chunks: AsyncIterator<ChatCompletionChunk>,
    answer: AnswerAssembler,
    place: CallPlace,
  ): Promise<ChatCompletionChunk | undefined> {
    const idle = this.#options.idleTimeout ?? 60_000;
    try {
      const next = await this.#within(
        answer.isFinished ? Math.min(idle, usageTimeout) : idle,
        chunks.next(),
        place,
      );
      return next.done === true ? undefined : next.value;
    } catch (error) {
      if (answer.isFinished) return undefined;
      throw error;
    }
  }

  /** The SDK reads a page or a JSON body as a stream without events. */
  async #refuseOtherContent(response: Response, place: CallPlace): Promise<void> {
    const type = response.headers.get('content-type') ?? '';
    if (!/^(text\/html|application\/json)/i.test(type)) return;
    const body = await this.#within(this.#options.idleTimeout ?? 60_000, readStart(response), place);
    const error = errorIn(body);
    if (error !== undefined) throw failureFromProvider({ body: error }, place);
    throw modelError('bad-answer', `${type} in place of a stream: ${body}`, place);
  }

  /** @throws ModelError `timeout` when the work has not ended in time; the caller aborts it then */
  async #within<T>(milliseconds: number, work: Promise<T>, place: CallPlace): Promise<T> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#options.scheduler.after(milliseconds, () => {
      const what = place.answering ? 'nothing more came' : 'no answer came';
      late.reject(modelError('timeout', `${what} within ${milliseconds} ms`, place, { mayHaveCost: true }));
    });
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      cancel();
    }
  }

  #params(request: ChatRequest): ChatCompletionCreateParamsStreaming {
    return {
      model: this.name,
      messages: request.messages.map(toWireMessage),
      ...(request.tools.length > 0 ? { tools: request.tools.map(toWireTool) } : {}),
      [this.#options.outputCap]: request.maxOutputTokens,
      stream: true,
      stream_options: { include_usage: true },
    };
  }

  #place(answering: boolean): CallPlace {
    const { baseUrl, apiKey, keyVariable } = this.#options;
    return {
      model: `${this.provider}/${this.name}`,
      host: new URL(baseUrl).host,
      secrets: apiKey === undefined ? [] : [apiKey],
      keyVariable,
      answering,
    };
  }

  /** The SDK is large, and a run that plays a playbook never needs it. */
  async #connect(): Promise<{ readonly client: OpenAI; readonly errors: ClientErrors }> {
    const { OpenAI: Client } = await import('openai');
    const { baseUrl, apiKey } = this.#options;
    const client = new Client({
      baseURL: baseUrl,
      // The SDK wants a key, and would take one from the environment.
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: never,
      logLevel: 'off',
      fetchOptions: { redirect: 'manual' },
      ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
    });
    return { client, errors: Client };
  }
}

function toModelError(error: unknown, errors: ClientErrors, place: CallPlace): ModelError {
  if (ModelError.is(error)) return error;
  if (error instanceof errors.APIError && !(error instanceof errors.APIConnectionError)) {
    return failureFromProvider(
      {
        body: error.error ?? error.message,
        ...(error.status === undefined ? {} : { status: error.status }),
        ...(error.headers === undefined ? {} : { headers: error.headers }),
      },
      place,
    );
  }
  return failureFromTransport(error, place);
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
