import { z } from 'zod';
import type { ChatMessage } from '#protocol/models.ts';
import type { PlayedTurn } from '#models/playbook/play-turn.ts';

/** What a request asks for, whatever its format. */
export interface AskedTurn {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly toolNames: readonly string[];
  readonly maxOutputTokens: number;
  /** False where nothing in the request allows the provider to take input from its cache. */
  readonly mayUseCache: boolean;
}

export interface Told {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** One wire format as a provider speaks it, as strict as a real one: what an adapter gets wrong is refused. */
export interface Format {
  /** Where requests are posted. */
  readonly path: string;
  /** @throws Error with what is wrong, in one line */
  read(body: unknown, headers: Readonly<Record<string, string | string[] | undefined>>): AskedTurn;
  /** The events of a streamed answer; text and arguments in pieces, which cut escapes and surrogate pairs in half. */
  events(turn: PlayedTurn, asked: AskedTurn, pieceLength: number): readonly object[];
  /** The same answer from a server that tells no usage. */
  withoutUsage(events: readonly object[]): readonly object[];
  /** One event as it stands in the stream. */
  frame(event: object): string;
  /** What stands at the end of a stream. */
  readonly end: string;
  /** The body of an answer that is no 200. */
  errorBody(told: Told): object;
  /** An error in mid-stream. */
  errorEvent(error: object): string;
}

export function pieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

/** An event with its name, as the younger formats have them. */
export function namedFrame(event: object): string {
  const name = 'type' in event && typeof event.type === 'string' ? event.type : 'event';
  return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** @throws Error with what is wrong, in one line */
export function parseBody<Shape extends z.ZodType>(shape: Shape, body: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  return parsed.data;
}

/** Each call of an assistant must be answered before anyone else speaks, and nothing else may be answered. */
export function refuseUnanswered(messages: readonly ChatMessage[]): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) throw new Error(`no call '${message.callId}' is open`);
    } else if (open.size > 0) {
      break;
    } else if (message.role === 'assistant') {
      for (const call of message.toolCalls) open.add(call.id);
    }
  }
  if (open.size > 0) throw new Error(`calls without a result: ${[...open].join(', ')}`);
}
