import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { JournalError } from './errors.ts';
import type { JournalBatch } from './journal.ts';

/** Rows as they are stored and as they cross to the journal's thread; bodies are JSON. */
export interface StoredEvent {
  readonly sequence: number;
  readonly time: number;
  readonly type: string;
  readonly body: string;
}

export interface StoredItem {
  readonly agent: string;
  readonly index: number;
  readonly body: string;
}

/** Bodies are written before anything is numbered: what cannot be written as JSON must not leave a gap. */
export function storedBatch(
  batch: JournalBatch,
  number: (batch: JournalBatch) => readonly RunEvent[],
): { readonly numbered: readonly RunEvent[]; readonly events: StoredEvent[]; readonly items: StoredItem[] } {
  const bodies = (batch.events ?? []).map((body) => JSON.stringify(body));
  const items = (batch.items ?? []).map(({ agent, index, item }) => ({
    agent,
    index,
    body: JSON.stringify(item),
  }));
  const numbered = number(batch);
  const events = numbered.map(({ sequence, time, type }, index) => ({
    sequence,
    time,
    type,
    body: bodies[index] ?? '',
  }));
  return { numbered, events, items };
}

/** The journal's own rows are trusted to have the shape that was written. @throws JournalError `damaged` */
export function readEvent({ sequence, time, body }: StoredEvent): RunEvent {
  const parsed: RunEventBody = inJson(`event ${sequence}`, () => JSON.parse(body));
  return { ...parsed, sequence, time };
}

/** @throws JournalError `damaged` */
export function readItem({ agent, index, body }: StoredItem): TranscriptItem {
  return inJson(`item ${index} of ${agent}`, () => JSON.parse(body));
}

function inJson<Parsed>(what: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new JournalError('damaged', `${what} cannot be read`, { what }, error);
  }
}
