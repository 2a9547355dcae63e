/** Tokens of one call. `cachedInputTokens` is the part of `inputTokens` that the provider read from its cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** The model told nothing; the numbers are from the length of the texts. A sum is estimated when a part of it is. */
  readonly estimated?: true;
}

export const noUsage: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...(left.estimated === true || right.estimated === true ? { estimated: true } : {}),
  };
}

/** One tool call of an assistant turn. `args` is the raw JSON text that the model wrote: it may be malformed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

/** `tool-calls` and `end` are normal; `length`: the output cap was hit; `filtered`: the provider withheld the answer. */
export type StopReason = 'end' | 'tool-calls' | 'length' | 'filtered';

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
