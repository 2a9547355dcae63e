import { abortError } from '#edges/abort.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import type { RunProjection } from '#protocol/projection.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { Journal, JournalBatch } from '#journal/journal.ts';

/**
 * The one way in which a run's state changes: an event is durable first, then folded, then told. The scheduler, the
 * barriers and every surface read the same fold.
 */
export class EventLog {
  readonly projection: RunProjection;
  readonly #journal: Journal;
  readonly #listeners = new Set<(event: RunEvent) => void>();

  constructor(journal: Journal, projection: RunProjection) {
    this.#journal = journal;
    this.projection = projection;
  }

  subscribe(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the first event for which `holds`; rejects with the signal's reason when it aborts. */
  async until(holds: (event: RunEvent) => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => {
        stop();
        reject(abortError(signal));
      };
      const stop = this.subscribe((event) => {
        if (!holds(event)) return;
        stop();
        signal.removeEventListener('abort', fail);
        resolve();
      });
      signal.addEventListener('abort', fail, { once: true });
    });
  }

  /** Resolves when the events are durable and folded. @throws JournalError */
  async publish(...events: readonly RunEventBody[]): Promise<void> {
    await this.write({ events });
  }

  /** Writes events and transcript items together. */
  async write(batch: JournalBatch): Promise<void> {
    // The journal resolves batches in the order of the calls, so folding here keeps the order of the numbers.
    for (const event of await this.#journal.append(batch)) {
      this.projection.apply(event);
      for (const listener of this.#listeners) listener(event);
    }
  }

  async transcript(agent: string): Promise<AgentTranscript> {
    return new AgentTranscript(this, agent, [...(await this.#journal.transcript(agent))]);
  }
}

/** The transcript of one agent, as it is stored. */
export class AgentTranscript {
  readonly #log: EventLog;
  readonly #agent: string;
  readonly #items: TranscriptItem[];

  constructor(log: EventLog, agent: string, items: TranscriptItem[]) {
    this.#log = log;
    this.#agent = agent;
    this.#items = items;
  }

  get items(): readonly TranscriptItem[] {
    return this.#items;
  }

  async store(items: readonly TranscriptItem[], events: readonly RunEventBody[]): Promise<void> {
    const first = this.#items.length;
    await this.#log.write({
      events,
      items: items.map((item, offset) => ({ agent: this.#agent, index: first + offset, item })),
    });
    this.#items.push(...items);
  }
}
