import type { RunEventBody } from '#protocol/events.ts';
import type { LogRecord } from '#vcs/log-record.ts';
import type { Repository } from '#vcs/repository.ts';
import type { EventLog } from './event-log.ts';

function eventOf(record: LogRecord): RunEventBody {
  const { position } = record;
  switch (record.kind) {
    case 'commit':
      return {
        type: 'vcs.committed',
        position,
        commit: record.commit,
        task: record.provenance.task,
        role: record.provenance.role,
        title: record.provenance.title,
        paths: record.changes.map((change) => change.path),
        mergedPaths: record.mergedPaths,
        ...(record.resolves === undefined ? {} : { resolves: record.resolves }),
      };
    case 'parked':
      return {
        type: 'vcs.parked',
        position,
        parked: record.parked,
        task: record.conflicts[0]?.task ?? record.submit.task,
        conflicts: record.conflicts,
        round: record.round,
        ...(record.replaces === undefined ? {} : { replaces: record.replaces }),
      };
    case 'rejected':
      return {
        type: 'vcs.rejected',
        position,
        task: record.submit.task,
        code: record.code,
        details: record.details,
      };
    case 'dropped':
      return { type: 'vcs.dropped', position, parked: record.parked, reason: record.reason };
    case 'fence':
      return { type: 'vcs.fenced', position, task: record.task, epoch: record.epoch };
    default:
      return record satisfies never;
  }
}

/** Takes the VCS log's records into the journal, in order. The log alone decides; the journal follows. */
export class LogFollower {
  readonly #log: EventLog;
  #last: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Takes in what the journal has not seen yet, then follows. */
  async follow(repository: Repository, after: number): Promise<void> {
    this.#stop = repository.subscribe((record) => {
      this.#take([record]);
    });
    this.#take(repository.records(after));
    await this.#last;
  }

  #take(records: readonly LogRecord[]): void {
    if (records.length === 0) return;
    const next = this.#last.then(async () => this.#log.publish(...records.map(eventOf)));
    // A journal that can no longer be written fails the next `settled`, not the process.
    next.catch(() => undefined);
    this.#last = next;
  }

  /** Resolves when every record told so far is in the journal. @throws JournalError */
  async settled(): Promise<void> {
    await this.#last;
  }

  stop(): void {
    this.#stop();
  }
}
