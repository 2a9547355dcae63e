import { VcsError } from './errors.ts';
import type { Appended, LogStore } from './log-store.ts';

/** A log in memory: for tests, and for runs that need not survive. Opening one again on the same `records` continues it. */
export class MemoryLogStore implements LogStore {
  readonly #records: Uint8Array[];
  #closed = false;

  constructor(records: Uint8Array[] = []) {
    this.#records = records;
  }

  open(take: (payload: Uint8Array, index: number) => void): Promise<readonly string[]> {
    for (const [index, payload] of this.#records.entries()) take(payload, index + 1);
    return Promise.resolve([]);
  }

  append(payload: Uint8Array): Appended {
    if (this.#closed) {
      return { index: 0, durable: Promise.reject(new VcsError('closed', 'the log is closed')) };
    }
    this.#records.push(payload);
    return { index: this.#records.length, durable: Promise.resolve() };
  }

  read(index: number, offset: number, length: number): Promise<Uint8Array> {
    if (this.#closed) return Promise.reject(new VcsError('closed', 'the log is closed'));
    const record = this.#records[index - 1];
    if (record === undefined || offset + length > record.length) {
      return Promise.reject(new VcsError('io', 'read past the end of the log', { record: index }));
    }
    return Promise.resolve(new Uint8Array(record.subarray(offset, offset + length)));
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }
}
