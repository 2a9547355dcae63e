import { z } from 'zod';
import type { StopReason, Usage } from '#protocol/models.ts';
import { toolCallId } from '../playbook/call-keys.ts';
import {
  foreign,
  plausibleUsage,
  textOf,
  toToolCalls,
  type Accepted,
  type Answer,
  type OpenCall,
} from './answer.ts';

const anyEvent = z.object({ type: z.string() });

/** Reads the events of a format that has them told apart by `type`; undefined for what is no event of any type. */
export function eventReader<Event extends { readonly type: string }>(
  shape: z.ZodType<Event> & {
    readonly options: readonly { readonly shape: { readonly type: { readonly value: string } } }[];
  },
): (event: unknown) => Event | 'passed over' | undefined {
  const types: ReadonlySet<string> = new Set(shape.options.map((option) => option.shape.type.value));
  return (event) => {
    const named = anyEvent.safeParse(event);
    if (!named.success) return undefined;
    // Formats grow: events of other types say nothing here.
    return types.has(named.data.type) ? shape.safeParse(event).data : 'passed over';
  };
}

/** The parts of one streamed answer, in formats that number them. */
export class AnswerParts {
  readonly #callKey: string;
  readonly #bound: Usage;
  readonly #calls = new Map<number, OpenCall>();
  #bytes = 0;

  constructor(callKey: string, bound: Usage) {
    this.#callKey = callKey;
    this.#bound = bound;
  }

  acceptText(text: string): Accepted {
    this.#bytes += Buffer.byteLength(text);
    return textOf(text);
  }

  /** Paid for, and shown to nobody. */
  acceptThought(text: string): Accepted {
    this.acceptText(text);
    return textOf();
  }

  /** The call that is part number `index`; it begins without id, name and arguments. */
  call(index: number): OpenCall {
    const call = this.#calls.get(index) ?? { id: '', name: '', args: '' };
    this.#calls.set(index, call);
    return call;
  }

  acceptArguments(index: number, piece: string): Accepted {
    const call = this.#calls.get(index);
    if (!call) return foreign;
    call.args += piece;
    return textOf();
  }

  /** Undefined when a call has no name. */
  finish(told: Usage | undefined, stopReason: (calls: number) => StopReason): Answer | undefined {
    const calls = [...this.#calls].toSorted(([left], [right]) => left - right).map(([, call]) => call);
    const toolCalls = toToolCalls(calls, (index) => toolCallId(this.#callKey, index));
    return (
      toolCalls && {
        toolCalls,
        stopReason: stopReason(toolCalls.length),
        usage: plausibleUsage(told, this.#bound, this.#bytes, toolCalls),
      }
    );
  }
}
