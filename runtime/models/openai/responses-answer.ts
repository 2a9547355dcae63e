import { z } from 'zod';
import type { StopReason, Usage } from '#protocol/models.ts';
import { foreign, textOf, type Accepted, type Answer, type AnswerReader } from '../http/answer.ts';
import { AnswerParts, eventReader } from '../http/answer-parts.ts';

const count = z.int().nonnegative();
const text = z.string();
const usageShape = z.object({
  input_tokens: count,
  input_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
  output_tokens: count,
});
/** The part of an output item that is read; `function_call` is the one kind that is looked into. */
const itemShape = z.object({
  type: text,
  call_id: text.nullish(),
  name: text.nullish(),
  arguments: text.nullish(),
});
const responseShape = z.object({
  output: z.array(itemShape).nullish(),
  /** What cannot be counts as not told: the answer is paid for, and good. */
  usage: usageShape.nullish().catch(undefined),
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: text.nullish() }).nullish(),
});
/**
 * The events that are read (https://developers.openai.com/api/reference/resources/responses/streaming-events); others
 * say nothing that these do not.
 */
const eventShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response.output_text.delta'), delta: text }),
  z.object({ type: z.literal('response.refusal.delta'), delta: text }),
  z.object({ type: z.literal('response.reasoning_text.delta'), delta: text }),
  z.object({ type: z.literal('response.reasoning_summary_text.delta'), delta: text }),
  z.object({ type: z.literal('response.output_item.added'), output_index: count, item: itemShape }),
  z.object({
    type: z.literal('response.function_call_arguments.delta'),
    output_index: count,
    delta: text,
  }),
  z.object({ type: z.literal('response.output_item.done'), output_index: count, item: itemShape }),
  z.object({ type: z.literal('response.completed'), response: responseShape }),
  z.object({ type: z.literal('response.incomplete'), response: responseShape }),
  z.object({ type: z.literal('response.failed'), response: responseShape }),
  z.looseObject({ type: z.literal('error') }),
]);
type StreamEvent = z.infer<typeof eventShape>;
const readEvent = eventReader<StreamEvent>(eventShape);

/** Puts the events of one answer of the Responses API together. */
export class ResponsesAnswer implements AnswerReader {
  readonly #parts: AnswerParts;
  #end: { readonly reason: string | undefined } | undefined;
  #refused = false;
  #usage: Usage | undefined;

  constructor(callKey: string, bound: Usage) {
    this.#parts = new AnswerParts(callKey, bound);
  }

  get isFinished(): boolean {
    return this.#end !== undefined;
  }

  /** The last event holds the usage. */
  get isOver(): boolean {
    return this.isFinished;
  }

  accept(data: unknown): Accepted {
    const event = readEvent(data);
    if (event === undefined) return foreign;
    return event === 'passed over' ? textOf() : this.#acceptEvent(event);
  }

  finish(): Answer | undefined {
    return this.#parts.finish(this.#usage, (calls) => this.#stopReason(calls));
  }

  #acceptEvent(event: StreamEvent): Accepted {
    switch (event.type) {
      case 'response.output_text.delta':
        return this.#parts.acceptText(event.delta);
      case 'response.refusal.delta':
        this.#refused = true;
        return this.#parts.acceptText(event.delta);
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return this.#parts.acceptThought(event.delta);
      case 'response.output_item.added':
      case 'response.output_item.done':
        this.#acceptItem(event.output_index, event.item);
        return textOf();
      case 'response.function_call_arguments.delta':
        return this.#parts.acceptArguments(event.output_index, event.delta);
      case 'response.completed':
      case 'response.incomplete':
        return this.#acceptEnd(event.response);
      case 'response.failed':
        return { kind: 'failure', body: event.response.error };
      case 'error':
        return { kind: 'failure', body: event };
      default:
        return event satisfies never;
    }
  }

  #stopReason(calls: number): StopReason {
    if (this.#end?.reason === 'content_filter' || this.#refused) return 'filtered';
    if (this.#end?.reason !== undefined) return 'length';
    return calls > 0 ? 'tool-calls' : 'end';
  }

  /** What an item says as a whole stands above what its pieces said. */
  #acceptItem(index: number, item: z.infer<typeof itemShape>): void {
    if (item.type !== 'function_call') return;
    const call = this.#parts.call(index);
    if (item.call_id) call.id = item.call_id;
    if (item.name) call.name = item.name;
    if (item.arguments) call.args = item.arguments;
  }

  #acceptEnd(response: z.infer<typeof responseShape>): Accepted {
    for (const [index, item] of (response.output ?? []).entries()) this.#acceptItem(index, item);
    this.#end = { reason: response.incomplete_details?.reason ?? undefined };
    const { usage } = response;
    if (usage) {
      this.#usage = {
        inputTokens: usage.input_tokens,
        cachedInputTokens: Math.min(usage.input_tokens_details?.cached_tokens ?? 0, usage.input_tokens),
        outputTokens: usage.output_tokens,
      };
    }
    return textOf();
  }
}
