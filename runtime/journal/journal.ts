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

/**
 * The store of one run: events, transcripts. Never blocks the caller's event loop. One process writes; others may read.
 */
export interface Journal {
  /**
   * Writes a batch; resolves with its numbered events when it is durable. Batches are written in the order of the
   * calls. @throws JournalError `io` (nothing of the batch was written, later batches fail too), `closed`
   */
  append(batch: JournalBatch): Promise<readonly RunEvent[]>;
  /** Durable events after `sequence` (0: all), in order. */
  events(after: number): Promise<readonly RunEvent[]>;
  /** The transcript of one agent, in order; empty when there is none. */
  transcript(agent: string): Promise<readonly TranscriptItem[]>;
  close(): Promise<void>;
}
