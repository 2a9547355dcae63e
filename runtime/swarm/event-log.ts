import { abortError } from '#edges/abort.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import type { RunProjection } from '#protocol/projection.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { Journal, JournalBatch } from '#journal/journal.ts';
import { Redactor } from './redactor.ts';

interface EventLogOptions {
  /** Keys that must not be stored or shown: see `Redactor`. */
  readonly secrets?: readonly string[];
  /** Told what a listener throws; a warning of the process unless given. */
  readonly onListenerError?: (error: unknown) => void;
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/**
 * The one way in which a run's state changes: an event is durable first, then folded, then told. The scheduler, the
 * barriers and every surface read the same fold.
 */
export class EventLog {
  readonly projection: RunProjection;
  readonly #journal: Journal;
  readonly #listeners = new Set<(event: RunEvent) => void>();
  readonly #redactor: Redactor;
  readonly #onListenerError: (error: unknown) => void;

  constructor(journal: Journal, projection: RunProjection, options: EventLogOptions = {}) {
    this.#journal = journal;
    this.projection = projection;
    this.#redactor = new Redactor(options.secrets ?? []);
    this.#onListenerError = options.onListenerError ?? warn;
  }

  subscribe(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the first event for which `holds`; rejects with what it throws, or with the signal's reason. */
  async until(holds: (event: RunEvent) => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => {
        stop();
        reject(abortError(signal));
      };
      const stop = this.subscribe((event) => {
        try {
          if (!holds(event)) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        stop();
        signal.removeEventListener('abort', fail);
      });
      signal.addEventListener('abort', fail, { once: true });
    });
  }

  /** Resolves when the events are durable and folded. @throws JournalError */
  async publish(...events: readonly RunEventBody[]): Promise<void> {
    await this.write({ events });
  }

  /**
   * Writes events and transcript items together, without the keys that are in them. Returns the batch as it was stored.
   * What a listener throws does not concern the run: a view may vanish at any time.
   */
  async write({ events = [], items = [] }: JournalBatch): Promise<Required<JournalBatch>> {
    const batch = {
      events: events.map((event) => this.#redactor.event(event)),
      items: items.map((entry) => ({ ...entry, item: this.#redactor.item(entry.item) })),
    };
    // The journal resolves batches in the order of the calls, so folding here keeps the order of the numbers.
    const numbered = await this.#journal.append(batch);
    for (const event of numbered) this.projection.apply(event);
    for (const event of numbered) this.#tell(event);
    return batch;
  }

  #tell(event: RunEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onListenerError(error);
      }
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
    const stored = await this.#log.write({
      events,
      items: items.map((item, offset) => ({ agent: this.#agent, index: first + offset, item })),
    });
    // The agent goes on with what is stored: it does what a resumed one would do.
    this.#items.push(...stored.items.map(({ item }) => item));
  }
}
