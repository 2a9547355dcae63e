import type { ChatMessage, StopReason, ToolCall, Usage } from '#protocol/models.ts';

/** A tool as a model is told of it. `parameters` is a JSON Schema (draft 2020-12) of an object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** Tokens. A provider may answer less, never more. */
  readonly maxOutputTokens: number;
  /**
   * Names this call for a playbook and for the ledger; opaque here. Sent as the header `x-swarmwright-call`, to
   * loopback addresses only.
   */
  readonly callKey: string;
  /** Whom the cost is booked to; opaque here. */
  readonly account: string;
}

export type ChatEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: ToolCall }
  /** Always the last one. A stream that ends without it is an error, which the adapter throws. */
  | { readonly kind: 'end'; readonly stopReason: StopReason; readonly usage: Usage };

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
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}
