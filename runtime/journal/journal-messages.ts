import type { JournalErrorCode } from './errors.ts';
import type { StoredEvent, StoredItem } from './stored-rows.ts';

/** What the journal's thread is started with. */
export interface JournalWorkerData {
  readonly file: string;
  readonly readOnly: boolean;
  /** A cap on the size of the database, for tests of a full disk. */
  readonly maxPages?: number;
}

/** Each request but the last is answered once; answers name it by its id. */
export type JournalRequest =
  | {
      readonly kind: 'append';
      readonly id: number;
      readonly events: readonly StoredEvent[];
      readonly items: readonly StoredItem[];
    }
  | { readonly kind: 'events'; readonly id: number; readonly after: number }
  | { readonly kind: 'transcript'; readonly id: number; readonly agent: string; readonly from: number }
  /** The answer is that the thread ends. */
  | { readonly kind: 'close' };

/** A JournalError, without what cannot cross to another thread. */
export interface JournalFailure {
  readonly code: JournalErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export type JournalReply =
  | { readonly kind: 'opened'; readonly lastSequence: number; readonly lengths: ReadonlyMap<string, number> }
  | ({ readonly kind: 'not-opened' } & JournalFailure)
  | { readonly kind: 'appended'; readonly ids: readonly number[] }
  /** `more`: ask again from behind the last row. */
  | {
      readonly kind: 'events';
      readonly id: number;
      readonly rows: readonly StoredEvent[];
      readonly more: boolean;
    }
  | {
      readonly kind: 'transcript';
      readonly id: number;
      readonly rows: readonly StoredItem[];
      readonly more: boolean;
    }
  | ({ readonly kind: 'failed'; readonly ids: readonly number[] } & JournalFailure);
