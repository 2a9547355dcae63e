import type { StopReason, ToolCall, Usage } from '#protocol/models.ts';

/** A streamed answer, put together. */
export interface Answer {
  readonly toolCalls: readonly ToolCall[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** What an event of a stream was. */
export type Accepted =
  | { readonly kind: 'text'; readonly text: string }
  /** The provider told of a failure in mid-stream; `body` is what it said. */
  | { readonly kind: 'failure'; readonly body: unknown }
  /** No event of this format. */
  | { readonly kind: 'foreign' };

export const foreign: Accepted = { kind: 'foreign' };

export function textOf(text = ''): Accepted {
  return { kind: 'text', text };
}

/** Puts the events of one streamed answer together. One is made for each call. */
export interface AnswerReader {
  /** True once the server has said why the answer ends: all of it is there, but perhaps its usage. */
  readonly isFinished: boolean;
  /** True once nothing that matters can come: the stream need not be read to its end. */
  readonly isOver: boolean;
  accept(event: unknown): Accepted;
  /** Undefined when a call has no name. */
  finish(): Answer | undefined;
}

/** A tool call that is being streamed. */
export interface OpenCall {
  id: string;
  name: string;
  args: string;
}

/**
 * The calls as they are told. Undefined when one has no name. Some servers send no arguments for a call without
 * parameters, and some give two calls one id, which others refuse in every later request.
 */
export function toToolCalls(
  calls: readonly OpenCall[],
  idOf: (index: number) => string,
): readonly ToolCall[] | undefined {
  if (calls.some(({ name }) => name === '')) return undefined;
  const ids = calls.map(({ id }) => id);
  return calls.map(({ id, name, args }, index) => ({
    id: id === '' || ids.indexOf(id) < index ? idOf(index) : id,
    name,
    args: args === '' ? '{}' : args,
  }));
}

/** No model takes or gives so many tokens in one call: who tells more has miscounted. */
const mostTokens = 10_000_000;

/**
 * The usage that was told; a server that tells none, none where there was some, or what cannot be, does not make a call
 * free.
 * @param bound what the call can have used at most
 * @param bytes of all that was streamed besides tool calls
 */
export function plausibleUsage(
  told: Usage | undefined,
  bound: Usage,
  bytes: number,
  calls: readonly ToolCall[],
): Usage {
  const all = calls.reduce(
    (total, { name, args }) => total + Buffer.byteLength(name) + Buffer.byteLength(args),
    bytes,
  );
  const isTold = told && told.inputTokens > 0 && (told.outputTokens > 0 || all === 0);
  if (isTold && told.inputTokens <= mostTokens && told.outputTokens <= mostTokens) return told;
  return { ...bound, outputTokens: Math.min(all + 16 * (calls.length + 1), bound.outputTokens) };
}
