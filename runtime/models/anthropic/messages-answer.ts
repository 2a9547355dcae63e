import { z } from 'zod';
import type { StopReason, Usage } from '#protocol/models.ts';
import { foreign, textOf, type Accepted, type Answer, type AnswerReader } from '../http/answer.ts';
import { AnswerParts, eventReader } from '../http/answer-parts.ts';

/** What cannot be counts as not told: the answer is paid for, and good. */
const count = z.int().nonnegative().nullish().catch(undefined);
const text = z.string().nullish();
const usageShape = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});
/** The events that are read (https://platform.claude.com/docs/en/build-with-claude/streaming); new ones may be added. */
const eventShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: usageShape.nullish() }) }),
  z.object({
    type: z.literal('content_block_start'),
    index: z.int().nonnegative(),
    content_block: z.object({ type: z.string(), text, id: text, name: text, input: z.unknown().optional() }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.int().nonnegative(),
    delta: z.object({ type: z.string(), text, partial_json: text, thinking: text }),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: text }),
    usage: usageShape.nullish(),
  }),
  z.object({ type: z.literal('message_stop') }),
  z.looseObject({ type: z.literal('error') }),
]);
type StreamEvent = z.infer<typeof eventShape>;
type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;
const readEvent = eventReader<StreamEvent>(eventShape);

/** Puts the events of one answer of the Messages API together. */
export class MessagesAnswer implements AnswerReader {
  readonly #parts: AnswerParts;
  #reason: string | undefined;
  #isOver = false;
  #usage: z.infer<typeof usageShape> = {};

  constructor(callKey: string, bound: Usage) {
    this.#parts = new AnswerParts(callKey, bound);
  }

  get isFinished(): boolean {
    return this.#reason !== undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  accept(data: unknown): Accepted {
    const event = readEvent(data);
    if (event === undefined) return foreign;
    return event === 'passed over' ? textOf() : this.#acceptEvent(event);
  }

  finish(): Answer | undefined {
    return this.#parts.finish(this.#toldUsage(), (calls) => this.#stopReason(calls));
  }

  #acceptEvent(event: StreamEvent): Accepted {
    switch (event.type) {
      case 'message_start':
        this.#acceptUsage(event.message.usage);
        return textOf();
      case 'content_block_start':
        return this.#acceptBlock(event.index, event.content_block);
      case 'content_block_delta':
        return this.#acceptDelta(event.index, event.delta);
      case 'message_delta':
        this.#acceptUsage(event.usage);
        if (event.delta.stop_reason) this.#reason = event.delta.stop_reason;
        return textOf();
      case 'message_stop':
        this.#isOver = true;
        return textOf();
      case 'error':
        return { kind: 'failure', body: event };
      default:
        return event satisfies never;
    }
  }

  /** `input_tokens` are those that were neither read from the cache nor written to it. */
  #toldUsage(): Usage {
    const read = this.#usage.cache_read_input_tokens ?? 0;
    const written = this.#usage.cache_creation_input_tokens ?? 0;
    return {
      inputTokens: (this.#usage.input_tokens ?? 0) + written + read,
      cachedInputTokens: read,
      outputTokens: this.#usage.output_tokens ?? 0,
    };
  }

  /** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
  #stopReason(calls: number): StopReason {
    const reason = this.#reason;
    if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
    if (reason === 'refusal') return 'filtered';
    return calls > 0 ? 'tool-calls' : 'end';
  }

  #acceptBlock(index: number, block: EventOf<'content_block_start'>['content_block']): Accepted {
    if (block.type === 'text') return this.#parts.acceptText(block.text ?? '');
    if (block.type === 'tool_use') {
      const call = this.#parts.call(index);
      call.id = block.id ?? '';
      call.name = block.name ?? '';
      // Some proxies send the arguments whole.
      const args = JSON.stringify(block.input ?? {});
      if (args !== '{}') call.args = args;
    }
    return textOf();
  }

  #acceptDelta(index: number, delta: EventOf<'content_block_delta'>['delta']): Accepted {
    if (delta.type === 'text_delta') return this.#parts.acceptText(delta.text ?? '');
    if (delta.type === 'input_json_delta')
      return this.#parts.acceptArguments(index, delta.partial_json ?? '');
    return this.#parts.acceptThought(delta.thinking ?? '');
  }

  /** Counts are cumulative, and null where an event has nothing new to say. */
  #acceptUsage(told: z.infer<typeof usageShape> | null | undefined): void {
    const said = Object.entries(told ?? {}).filter(([, tokens]) => tokens !== null && tokens !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(said) };
  }
}
