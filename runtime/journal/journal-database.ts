import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { existsNow } from '#edges/file-system.ts';
import type { JournalEnd } from './batch-numbering.ts';
import { JournalError, type JournalErrorCode } from './errors.ts';
import type { JournalWorkerData } from './journal-messages.ts';
import type { StoredEvent, StoredItem } from './stored-rows.ts';

const schemaVersion = 1;
const schema = `
  CREATE TABLE events (sequence INTEGER PRIMARY KEY, time INTEGER NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE transcripts (agent TEXT NOT NULL, idx INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (agent, idx))
    STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`;

/** A page ends at whichever comes first; it is parsed at one go by the caller, whose loop must not stall. */
const pageRows = 1_000;
const pageCharacters = 1_000_000;

/** What is stored in one transaction. */
export interface StoredBatch {
  readonly events: readonly StoredEvent[];
  readonly items: readonly StoredItem[];
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** The journal's tables, synchronously: it lives in a thread of its own. Every method throws JournalError. */
export class JournalDatabase {
  readonly #database: DatabaseSync;
  readonly #readEvents: StatementSync;
  readonly #readItems: StatementSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    this.#readEvents = database.prepare(
      'SELECT sequence, time, type, body FROM events WHERE sequence > ? ORDER BY sequence',
    );
    this.#readItems = database.prepare(
      'SELECT agent, idx, body FROM transcripts WHERE agent = ? AND idx >= ? ORDER BY idx',
    );
  }

  /** @throws JournalError `io`, `damaged`, `unknown-format`, `no-store` (nothing to read yet) */
  static open(options: JournalWorkerData): JournalDatabase {
    return inSqlite(() => {
      if (options.readOnly && !existsNow(options.file)) {
        throw new JournalError('no-store', `there is no journal ${options.file}`);
      }
      const database = new DatabaseSync(options.file, { readOnly: options.readOnly, timeout: 5_000 });
      try {
        prepareSchema(database, options);
        return new JournalDatabase(database);
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  /** Where the journal ends. @throws JournalError `damaged` when its numbers have gaps */
  end(): JournalEnd {
    return inSqlite(() => {
      // One statement sees one state, also while another process writes.
      const totals = this.#database
        .prepare('SELECT coalesce(max(sequence), 0) AS last, count(*) AS count FROM events')
        .get();
      const last = numberIn(totals ?? {}, 'last');
      const count = numberIn(totals ?? {}, 'count');
      if (last !== count) {
        throw new JournalError('damaged', `events are missing: ${count} of ${last}`, { last, count });
      }
      const lengths = new Map<string, number>();
      const agents = this.#database.prepare(
        'SELECT agent, count(*) AS count, max(idx) + 1 AS length FROM transcripts GROUP BY agent',
      );
      for (const row of agents.iterate()) {
        const agent = textIn(row, 'agent');
        const length = numberIn(row, 'length');
        if (numberIn(row, 'count') !== length) {
          throw new JournalError('damaged', `items of ${agent} are missing`, { agent });
        }
        lengths.set(agent, length);
      }
      return { lastSequence: last, lengths };
    });
  }

  /** Writes all batches or none; they are durable when it returns. */
  write(batches: readonly StoredBatch[]): void {
    inSqlite(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        this.#insert(batches);
        this.#database.exec('COMMIT');
      } catch (error) {
        // SQLite has rolled back by itself after some errors, a full disk among them.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  eventsAfter(sequence: number): Page<StoredEvent> {
    return inSqlite(() => page(this.#readEvents.iterate(sequence), eventOf));
  }

  itemsFrom(agent: string, index: number): Page<StoredItem> {
    return inSqlite(() => page(this.#readItems.iterate(agent, index), itemOf));
  }

  close(): void {
    inSqlite(() => {
      this.#database.close();
    });
  }

  #insert(batches: readonly StoredBatch[]): void {
    const event = this.#database.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
    const item = this.#database.prepare('INSERT INTO transcripts VALUES (?, ?, ?)');
    for (const batch of batches) {
      for (const { sequence, time, type, body } of batch.events) event.run(sequence, time, type, body);
      for (const { agent, index, body } of batch.items) item.run(agent, index, body);
    }
  }
}

function prepareSchema(database: DatabaseSync, { readOnly, maxPages }: JournalWorkerData): void {
  const version = scalar(database, 'PRAGMA user_version');
  const tables = scalar(database, 'SELECT count(*) FROM sqlite_schema');
  const isNew = version === 0 && tables === 0;
  if (version !== schemaVersion && !isNew) {
    throw new JournalError('unknown-format', `the journal has format ${version}, not ${schemaVersion}`, {
      version,
      known: schemaVersion,
    });
  }
  if (readOnly) {
    if (isNew) throw new JournalError('no-store', 'the journal has not been begun');
    return;
  }
  const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  // Some network file systems cannot: then readers and the writer would get into each other's way.
  if (mode !== 'wal') throw new JournalError('io', 'the file system cannot hold a write-ahead log');
  // FULL syncs the write-ahead log at every commit; the other two make macOS empty the disk's own cache as well.
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1');
  if (isNew) database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
  if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
}

type Columns = Record<string, SQLOutputValue>;

function page<Row extends { readonly body: string }>(
  source: Iterable<Columns>,
  read: (columns: Columns) => Row,
): Page<Row> {
  const rows: Row[] = [];
  let characters = 0;
  for (const columns of source) {
    if (rows.length >= pageRows || characters >= pageCharacters) return { rows, more: true };
    const row = read(columns);
    rows.push(row);
    characters += row.body.length;
  }
  return { rows, more: false };
}

function eventOf(row: Columns): StoredEvent {
  return {
    sequence: numberIn(row, 'sequence'),
    time: numberIn(row, 'time'),
    type: textIn(row, 'type'),
    body: textIn(row, 'body'),
  };
}

function itemOf(row: Columns): StoredItem {
  return { agent: textIn(row, 'agent'), index: numberIn(row, 'idx'), body: textIn(row, 'body') };
}

function scalar(database: DatabaseSync, query: string): number {
  const row = database.prepare(query).get() ?? {};
  return numberIn(row, Object.keys(row)[0] ?? '');
}

function numberIn(row: Columns, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new JournalError('damaged', `the column ${column} holds no number`, { column });
}

function textIn(row: Columns, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new JournalError('damaged', `the column ${column} holds no text`, { column });
}

/** Primary result codes, https://sqlite.org/rescode.html */
const damagedCodes: ReadonlySet<number> = new Set([11 /* CORRUPT */, 26 /* NOTADB */]);

/** Gives SQLite's errors our codes. */
function inSqlite<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (JournalError.is(error)) throw error;
    const sqlite = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
    const code: JournalErrorCode = sqlite !== undefined && damagedCodes.has(sqlite % 256) ? 'damaged' : 'io';
    const message = error instanceof Error ? error.message : String(error);
    throw new JournalError(code, message, sqlite === undefined ? {} : { sqlite }, error);
  }
}
