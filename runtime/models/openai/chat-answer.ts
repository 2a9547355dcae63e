import { z } from 'zod';
import type { StopReason, Usage } from '#protocol/models.ts';
import {
  foreign,
  plausibleUsage,
  textOf,
  toToolCalls,
  type Accepted,
  type Answer,
  type AnswerReader,
  type OpenCall,
} from '../http/answer.ts';
import { toolCallId } from '../playbook/call-keys.ts';

const count = z.int().nonnegative();
/** The part of a chunk that is read. Servers leave out, or set to null, what they have nothing to say about. */
const chunkShape = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .looseObject({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: count.nullish(),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    })
    .nullish()
    // What cannot be counts as not told: the answer is paid for, and good.
    .catch(undefined),
});
type CallDelta = NonNullable<
  NonNullable<NonNullable<z.infer<typeof chunkShape>['choices']>[number]['delta']>['tool_calls']
>[number];

type IndexedCall = OpenCall & { readonly index: number };

/** Puts the chunks of one answer in the Chat Completions format together. */
export class ChatAnswer implements AnswerReader {
  /** The SDK ends the stream at `[DONE]`; the usage comes in a chunk of its own behind the last choice. */
  readonly isOver = false;
  readonly #callKey: string;
  readonly #bound: Usage;
  readonly #calls: IndexedCall[] = [];
  /** Of all that was streamed besides tool calls: text, and reasoning under whatever name. */
  #bytes = 0;
  #finishReason: string | undefined;
  #refused = false;
  #usage: Usage | undefined;

  constructor(callKey: string, bound: Usage) {
    this.#callKey = callKey;
    this.#bound = bound;
  }

  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  accept(chunk: unknown): Accepted {
    const parsed = chunkShape.safeParse(chunk);
    if (!parsed.success) return foreign;
    const { choices, usage } = parsed.data;
    if (!choices && !usage) return foreign;
    if (usage) {
      const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
      this.#usage = {
        inputTokens: usage.prompt_tokens,
        cachedInputTokens: Math.min(cached, usage.prompt_tokens),
        outputTokens: usage.completion_tokens,
      };
    }
    const choice = choices?.[0];
    if (!choice) return textOf();
    if (choice.finish_reason) this.#finishReason = choice.finish_reason;
    const { role: _, content, refusal, tool_calls: calls, ...reasoning } = choice.delta ?? {};
    if (refusal) this.#refused = true;
    for (const call of calls ?? []) this.#acceptCall(call);
    const text = `${content ?? ''}${refusal ?? ''}`;
    for (const part of [text, ...Object.values(reasoning)]) {
      if (typeof part === 'string') this.#bytes += Buffer.byteLength(part);
    }
    return textOf(text);
  }

  finish(): Answer | undefined {
    const calls = this.#calls.toSorted((left, right) => left.index - right.index);
    const toolCalls = toToolCalls(calls, (index) => toolCallId(this.#callKey, index));
    return (
      toolCalls && {
        toolCalls,
        stopReason: this.#stopReason(toolCalls.length),
        usage: plausibleUsage(this.#usage, this.#bound, this.#bytes, toolCalls),
      }
    );
  }

  #acceptCall(delta: CallDelta): void {
    const index = delta.index ?? this.#indexWithout(delta.id);
    let call = this.#calls.findLast((known) => known.index === index);
    // Some servers number every call 0 and tell them apart by their ids.
    if (!call || (delta.id && call.id !== '' && call.id !== delta.id)) {
      call = { index, id: '', name: '', args: '' };
      this.#calls.push(call);
    }
    if (delta.id) call.id = delta.id;
    // A name comes whole, and some servers repeat it in every piece.
    if (delta.function?.name) call.name = delta.function.name;
    call.args += delta.function?.arguments ?? '';
  }

  #indexWithout(id: string | null | undefined): number {
    const last = this.#calls.at(-1);
    if (!last) return 0;
    return id && id !== last.id ? last.index + 1 : last.index;
  }

  #stopReason(calls: number): StopReason {
    if (this.#finishReason === 'length') return 'length';
    if (this.#finishReason === 'content_filter' || this.#refused) return 'filtered';
    // Some servers say 'stop' after tool calls, and some 'tool_calls' after none.
    return calls > 0 ? 'tool-calls' : 'end';
  }
}
