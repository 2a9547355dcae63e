import { join } from 'node:path';
import type { Clock } from '#edges/clock.ts';
import type { RunEvent } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { BatchNumbering, type JournalEnd } from './batch-numbering.ts';
import { JournalError } from './errors.ts';
import type { Journal, JournalBatch, JournalReader } from './journal.ts';
import { JournalConnection } from './journal-connection.ts';
import { readEvent, readItem, storedBatch } from './stored-rows.ts';

const fileName = 'journal.sqlite';

/**
 * Opens the journal in a store's folder for writing, and begins it when there is none. The caller owns the store.
 * @throws JournalError `io`, `damaged`, `unknown-format`
 */
export async function openJournal(
  folder: string,
  clock: Clock,
  limits: { readonly maxPages?: number } = {},
): Promise<Journal> {
  const file = join(folder, fileName);
  const { connection, end } = await JournalConnection.open({ file, readOnly: false, ...limits });
  return new SqliteJournal(connection, clock, end);
}

/**
 * Opens the journal in a store's folder for reading, while its owner may be writing it.
 * @throws JournalError `no-store`, `io`, `damaged`, `unknown-format`
 */
export async function readJournal(folder: string): Promise<JournalReader> {
  const { connection } = await JournalConnection.open({ file: join(folder, fileName), readOnly: true });
  return new SqliteJournalReader(connection);
}

class SqliteJournalReader implements JournalReader {
  readonly #connection: JournalConnection;
  readonly #reading = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(connection: JournalConnection) {
    this.#connection = connection;
  }

  async events(after: number, limit = Infinity): Promise<readonly RunEvent[]> {
    return this.#read(async () => {
      const events: RunEvent[] = [];
      for (;;) {
        // Page by page, so that parsing a long run does not stall the caller's loop; each page starts behind the last.
        const from = events.at(-1)?.sequence ?? after;
        // oxlint-disable-next-line no-await-in-loop
        const answer = await this.#connection.ask({ kind: 'events', after: from });
        if (answer.kind !== 'events') return events;
        for (const row of answer.rows) events.push(readEvent(row));
        if (!answer.more || events.length >= limit) return events;
      }
    });
  }

  async transcript(agent: string): Promise<readonly TranscriptItem[]> {
    return this.#read(async () => {
      const items: TranscriptItem[] = [];
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const answer = await this.#connection.ask({ kind: 'transcript', agent, from: items.length });
        if (answer.kind !== 'transcript') return items;
        for (const row of answer.rows) items.push(readItem(row));
        if (!answer.more) return items;
      }
    });
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  protected throwIfClosed(): void {
    if (this.#closing) throw new JournalError('closed', 'the journal is closed');
  }

  async #close(): Promise<void> {
    // A read takes several pages, and the next one can only be asked for while the thread lives.
    await Promise.allSettled(this.#reading);
    await this.#connection.close();
  }

  async #read<Result>(read: () => Promise<Result>): Promise<Result> {
    this.throwIfClosed();
    const reading = read();
    this.#reading.add(reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(reading);
    }
  }
}

class SqliteJournal extends SqliteJournalReader implements Journal {
  readonly #connection: JournalConnection;
  readonly #numbering: BatchNumbering;

  constructor(connection: JournalConnection, clock: Clock, end: JournalEnd) {
    super(connection);
    this.#connection = connection;
    this.#numbering = new BatchNumbering(clock, end);
  }

  async append(batch: JournalBatch): Promise<readonly RunEvent[]> {
    this.throwIfClosed();
    this.#connection.throwIfDead();
    const { numbered, events, items } = storedBatch(batch, (checked) => this.#numbering.number(checked));
    await this.#connection.ask({ kind: 'append', events, items });
    return numbered;
  }
}
