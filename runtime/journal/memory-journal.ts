import type { Clock } from '#edges/clock.ts';
import type { RunEvent } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { BatchNumbering } from './batch-numbering.ts';
import { JournalError } from './errors.ts';
import type { Journal, JournalBatch } from './journal.ts';
import { readEvent, readItem, storedBatch, type StoredEvent, type StoredItem } from './stored-rows.ts';

/** A journal that is gone with its process: for tests. It stores the same rows, so what comes out is never what went in. */
export class MemoryJournal implements Journal {
  readonly #numbering: BatchNumbering;
  readonly #events: StoredEvent[] = [];
  readonly #items = new Map<string, StoredItem[]>();
  #closed = false;

  constructor(clock: Clock) {
    this.#numbering = new BatchNumbering(clock, { lastSequence: 0, lengths: new Map() });
  }

  async append(batch: JournalBatch): Promise<readonly RunEvent[]> {
    this.#throwIfClosed();
    const { numbered, events, items } = storedBatch(batch, (checked) => this.#numbering.number(checked));
    this.#events.push(...events);
    for (const item of items) {
      const transcript = this.#items.get(item.agent) ?? [];
      transcript.push(item);
      this.#items.set(item.agent, transcript);
    }
    // As with a disk, nobody sees the answer in the same turn.
    await Promise.resolve();
    return numbered;
  }

  async events(after: number, limit: number = Infinity): Promise<readonly RunEvent[]> {
    this.#throwIfClosed();
    return Promise.resolve(this.#events.slice(after, after + limit).map(readEvent));
  }

  async transcript(agent: string): Promise<readonly TranscriptItem[]> {
    this.#throwIfClosed();
    return Promise.resolve((this.#items.get(agent) ?? []).map(readItem));
  }

  async close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  #throwIfClosed(): void {
    if (this.#closed) throw new JournalError('closed', 'the journal is closed');
  }
}
