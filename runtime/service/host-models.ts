import type { ChatRequest } from '#protocol/models.ts';
import type { HostChatEnd, HostChatEvent } from '#protocol/host-models.ts';
import type { HostApi } from '#protocol/runtime-api.ts';
import type { Randomness } from '#edges/randomness.ts';
import type { HostChats } from '#models/host/host-model.ts';

interface OpenCall {
  readonly take: (event: HostChatEvent) => void;
  /** Events so far, and how many there must be once the host has said that it is over. */
  came: number;
  expected: number | undefined;
  readonly all: PromiseWithResolvers<void>;
}

/** The host's end of its models, as the runtime calls them: parts come back as calls of their own, by the call's name. */
export class HostModels implements HostChats {
  readonly #host: () => Pick<HostApi, 'chat' | 'cancelChat'>;
  readonly #randomness: Randomness;
  readonly #calls = new Map<string, OpenCall>();

  /** The host is asked for at each call: it is connected after this is made. */
  constructor(host: () => Pick<HostApi, 'chat' | 'cancelChat'>, randomness: Randomness) {
    this.#host = host;
    this.#randomness = randomness;
  }

  /** Calls that have not ended. */
  get open(): number {
    return this.#calls.size;
  }

  async chat(
    model: string,
    request: ChatRequest,
    take: (event: HostChatEvent) => void,
    signal: AbortSignal,
  ): Promise<HostChatEnd> {
    signal.throwIfAborted();
    // Unlike any of a runtime before this one: the host may still hear of answers that were asked for by that.
    const name = this.#randomness.hex(8);
    const call: OpenCall = { take, came: 0, expected: undefined, all: Promise.withResolvers() };
    this.#calls.set(name, call);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => {
      this.#host().cancelChat(name);
      aborted.reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      const end = await Promise.race([this.#host().chat(name, model, request), aborted.promise]);
      call.expected = end.events;
      if (call.came < end.events) await Promise.race([call.all.promise, aborted.promise]);
      return end;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#calls.delete(name);
    }
  }

  /** What the host tells of a call. One that is over, or unknown, is passed over: it was cancelled meanwhile. */
  take(name: string, event: HostChatEvent): void {
    const call = this.#calls.get(name);
    if (!call) return;
    call.came += 1;
    call.take(event);
    if (call.came === call.expected) call.all.resolve();
  }
}
