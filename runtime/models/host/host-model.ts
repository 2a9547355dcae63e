import type { Scheduler } from '#edges/scheduler.ts';
import { hostModelErrorArea, hostModelErrorCodes } from '#protocol/host-models.ts';
import type { HostChatEnd, HostChatEvent } from '#protocol/host-models.ts';
import { goneCode, RemoteError } from '#protocol/rpc.ts';
import type { ChatEvent, ChatModel, ChatRequest } from '../chat-model.ts';
import { ModelError } from '../errors.ts';

/** Calls the models that the program around the runtime has. */
export interface HostChats {
  /**
   * Starts a call. `take` gets its parts in order, all of them before the promise resolves. When the signal aborts the
   * host stops the answer, and the promise rejects. @throws RemoteError
   */
  chat(
    model: string,
    request: ChatRequest,
    take: (event: HostChatEvent) => void,
    signal: AbortSignal,
  ): Promise<HostChatEnd>;
}

/** Milliseconds without a part: the host cannot tell whether a model thinks or is stuck. */
const silenceTimeout = 300_000;

export interface HostModelOptions {
  readonly provider: string;
  readonly name: string;
  readonly chats: HostChats;
  readonly scheduler: Scheduler;
  readonly silenceTimeout?: number;
}

/** A model of the program around the runtime: an editor's. It tells no price, and its usage is estimated. */
export class HostModel implements ChatModel {
  readonly provider: string;
  readonly name: string;
  readonly scripted = false;
  readonly #options: HostModelOptions;

  constructor(options: HostModelOptions) {
    this.provider = options.provider;
    this.name = options.name;
    this.#options = options;
  }

  /** Nothing orders the calls of a live model. */
  async ready(_request: ChatRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    signal.throwIfAborted();
    const watch = new Watch(this.#options.scheduler, this.#options.silenceTimeout ?? silenceTimeout);
    const parts = new Parts();
    const ending = this.#options.chats.chat(
      this.name,
      request,
      (event) => {
        watch.beat();
        parts.add(event);
      },
      AbortSignal.any([signal, watch.signal]),
    );
    ending.then(parts.close, parts.close);
    try {
      yield* parts.take();
      const { stopReason, usage } = await ending;
      yield { kind: 'end', stopReason, usage };
    } catch (error) {
      signal.throwIfAborted();
      throw this.#modelError(watch.signal.aborted ? watch.signal.reason : error, parts.hasBegun);
    } finally {
      // Who stops reading wants no more of it.
      watch.end();
    }
    signal.throwIfAborted();
  }

  #modelError(error: unknown, hasBegun: boolean): ModelError {
    const model = `${this.provider}/${this.name}`;
    if (ModelError.is(error)) return error;
    if (error === silent) {
      const message = `${model}: nothing came for a long time`;
      return new ModelError('timeout', message, { model }, { mayHaveCost: true });
    }
    if (RemoteError.is(error, 'Rpc', goneCode)) {
      const message = `${model}: the program that has it is gone`;
      return new ModelError('network', message, { model }, { cause: error, mayHaveCost: true });
    }
    const message = `${model}: ${error instanceof Error ? error.message : String(error)}`;
    const code = RemoteError.is(error, hostModelErrorArea)
      ? hostModelErrorCodes.find((known) => known === error.code)
      : undefined;
    const details = RemoteError.is(error) ? error.details : {};
    // What the host does not know may have gone wrong after the answer had begun.
    const mayHaveCost = hasBegun || code === undefined || details['mayHaveCost'] === 1;
    return new ModelError(code ?? 'server', message, { ...details, model }, { cause: error, mayHaveCost });
  }
}

const silent = Symbol('silent');

/** Aborts when nothing has happened for so long. */
class Watch {
  readonly #scheduler: Scheduler;
  readonly #milliseconds: number;
  readonly #abort = new AbortController();
  #cancel: () => void;

  constructor(scheduler: Scheduler, milliseconds: number) {
    this.#scheduler = scheduler;
    this.#milliseconds = milliseconds;
    this.#cancel = this.#start();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  beat(): void {
    this.#cancel();
    this.#cancel = this.#start();
  }

  /** Nothing of it is wanted any more: a call that still runs is stopped. */
  end(): void {
    this.#cancel();
    this.#abort.abort(silent);
  }

  #start(): () => void {
    return this.#scheduler.after(this.#milliseconds, () => {
      this.#abort.abort(silent);
    });
  }
}

/** Parts that have come and are not read yet. */
class Parts {
  readonly #waiting: HostChatEvent[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;
  hasBegun = false;

  add(event: HostChatEvent): void {
    this.hasBegun = true;
    this.#waiting.push(event);
    this.#wake?.();
  }

  readonly close = (): void => {
    this.#isClosed = true;
    this.#wake?.();
  };

  async *take(): AsyncIterable<HostChatEvent> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#isClosed && this.#waiting.length === 0) return;
      if (this.#waiting.length > 0) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      // oxlint-disable-next-line no-await-in-loop -- a part comes after the one before it
      await promise;
    }
  }
}
