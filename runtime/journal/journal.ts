import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';

/** What is written together: all of it or nothing. */
export interface JournalBatch {
  readonly events?: readonly RunEventBody[];
  /** `agent` is the agent's key (`root/lexer@1`); `index` counts from 0 without gaps. */
  readonly items?: readonly {
    readonly agent: string;
    readonly index: number;
    readonly item: TranscriptItem;
  }[];
}

/** Reading the store of one run, also while another process writes it. Never blocks the caller's event loop. */
export interface JournalReader {
  /** Durable events after `sequence` (0: all), in order; about `limit` at most, never none while there are some. @throws JournalError `io`, `damaged`, `closed` */
  events(after: number, limit?: number): Promise<readonly RunEvent[]>;
  /** The transcript of one agent, in order; empty when there is none. @throws JournalError `io`, `damaged`, `closed` */
  transcript(agent: string): Promise<readonly TranscriptItem[]>;
  /** Finishes what was asked for before. */
  close(): Promise<void>;
}

/** The store of one run: events, transcripts. One process writes; others may read. */
export interface Journal extends JournalReader {
  /**
   * Writes a batch; resolves with its numbered events when it is durable. Batches are written in the order of the
   * calls.
   * @throws JournalError `io`: nothing of the batch was acknowledged, and later batches fail too; after a failed sync
   * the disk may still hold it, as after a kill. `out-of-order`: an item's index is not the next of its transcript;
   * nothing was written, later batches are not affected. `closed`.
   */
  append(batch: JournalBatch): Promise<readonly RunEvent[]>;
}
