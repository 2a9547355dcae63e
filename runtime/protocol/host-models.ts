import type { ToolCall, Usage } from './models.ts';

/** A part of an answer of one of the host's models, as it comes. */
export type HostChatEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: ToolCall };

/** How the answer ended. */
export interface HostChatEnd {
  /** How many events were sent before: nothing is lost on the way unseen. */
  readonly events: number;
  /** `length`: it was stopped as it was longer than the request allows. */
  readonly stopReason: 'end' | 'tool-calls' | 'length';
  readonly usage: Usage;
}

/** A model that the host offers. `name` is what follows the provider in a choice: `copilot/gpt-5-mini`. */
export interface HostModelInfo {
  readonly choice: string;
  readonly label: string;
  readonly vendor: string;
  /** As it says itself; what it takes in truth can be less. */
  readonly maxInputTokens: number;
}

/**
 * The class name and codes of what a host's call fails with; `mayHaveCost` in the details is 1 where an answer had
 * begun. The codes are those of ModelError.
 */
export const hostModelErrorArea = 'HostModelError';

export const hostModelErrorCodes = [
  'auth',
  'broken-stream',
  'context-overflow',
  'network',
  'overloaded',
  'quota',
  'rate-limited',
  'refused',
  'server',
  'timeout',
  'unknown-model',
] as const;

export type HostModelErrorCode = (typeof hostModelErrorCodes)[number];
