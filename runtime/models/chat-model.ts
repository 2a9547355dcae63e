import type { ChatEvent, ChatRequest } from '#protocol/models.ts';

export type { ChatEvent, ChatRequest, ToolSpec } from '#protocol/models.ts';

/** Something that plays the assistant. Implementations keep no state between calls. */
export interface ChatModel {
  readonly provider: string;
  readonly name: string;
  /** True when turns are played from a file: every surface says so. */
  readonly scripted: boolean;
  /**
   * Resolves when the call may be made. Nothing is held or reserved while waiting: the playbook model waits here for
   * the facts that its turns are ordered by. Rejects with the signal's reason when it aborts.
   */
  ready(request: ChatRequest, signal: AbortSignal): Promise<void>;
  /** Streams one assistant turn. @throws ModelError; the signal's reason when it aborts */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
}

/** Dollars per million tokens. */
export interface Price {
  /** Where writing to the provider's cache costs more, what that costs: each call writes all that it has not read. */
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  /** Calls with more input than `tokens` cost so many times as much, all of it. */
  readonly long?: { readonly tokens: number; readonly inputTimes: number; readonly outputTimes: number };
}
