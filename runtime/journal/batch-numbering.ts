import type { Clock } from '#edges/clock.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import { JournalError } from './errors.ts';
import type { JournalBatch } from './journal.ts';

/** Where a stored journal ends. */
export interface JournalEnd {
  /** 0 for an empty journal. */
  readonly lastSequence: number;
  /** Items by agent. */
  readonly lengths: ReadonlyMap<string, number>;
}

/** The one place where events get their numbers and times. It runs ahead of the disk: batches are numbered when they are handed in. */
export class BatchNumbering {
  readonly #clock: Clock;
  readonly #lengths: Map<string, number>;
  #sequence: number;

  constructor(clock: Clock, end: JournalEnd) {
    this.#clock = clock;
    this.#sequence = end.lastSequence;
    this.#lengths = new Map(end.lengths);
  }

  /** @throws JournalError `out-of-order`; then nothing has been numbered */
  number(batch: JournalBatch): readonly RunEvent[] {
    const lengths = new Map<string, number>();
    for (const { agent, index } of batch.items ?? []) {
      const due = lengths.get(agent) ?? this.#lengths.get(agent) ?? 0;
      if (index !== due) {
        const details = { agent, index, due };
        throw new JournalError(
          'out-of-order',
          `item ${index} of ${agent} came where ${due} was due`,
          details,
        );
      }
      lengths.set(agent, due + 1);
    }
    for (const [agent, length] of lengths) this.#lengths.set(agent, length);
    const time = this.#clock.now();
    return (batch.events ?? []).map((body) => {
      this.#sequence += 1;
      return numbered(body, this.#sequence, time);
    });
  }
}

function numbered(body: RunEventBody, sequence: number, time: number): RunEvent {
  return { ...body, sequence, time };
}
