/** What `append` gives back at once. */
export interface Appended {
  /** 1 for the first record of the store, without gaps. */
  readonly index: number;
  /** Resolves when the record is on the disk, after all records before it. @throws VcsError `io`, `closed` */
  readonly durable: Promise<void>;
}

/**
 * An append-only sequence of records, each a run of bytes. Many appends share one sync. A record is there whole or not
 * at all; once a write has failed nothing more is accepted, because what the disk holds is then unknown.
 */
export interface LogStore {
  /**
   * Reads all records in order, before anything else is called. `take` must not keep the bytes.
   * Gives what was found and mended, one line each. @throws VcsError `damaged`, `unknown-format`, `io`
   */
  open(take: (payload: Uint8Array, index: number) => void): Promise<readonly string[]>;
  /** Takes the record over; the caller changes `payload` no more. Never waits. */
  append(payload: Uint8Array): Appended;
  /** A part of a record, durable or not. @throws VcsError `io`, `closed` */
  read(index: number, offset: number, length: number): Promise<Uint8Array>;
  /** Waits for what was appended. */
  close(): Promise<void>;
}
