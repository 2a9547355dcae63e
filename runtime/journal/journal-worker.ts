/**
 * The journal's thread. SQLite is synchronous and a disk can take 200 ms: nothing else runs here.
 */
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { JournalError } from './errors.ts';
import { JournalDatabase } from './journal-database.ts';
import type { JournalFailure, JournalReply, JournalRequest, JournalWorkerData } from './journal-messages.ts';

type AppendRequest = Extract<JournalRequest, { kind: 'append' }>;

/** Bounds how long the first of a group waits for its commit. */
const groupLimit = 1_000;

function failureOf(error: unknown): JournalFailure {
  if (JournalError.is(error)) return { code: error.code, message: error.message, details: error.details };
  return { code: 'io', message: error instanceof Error ? error.message : String(error), details: {} };
}

class JournalService {
  readonly #database: JournalDatabase;
  readonly #reply: (reply: JournalReply) => void;
  /** Why nothing can be written any more. */
  #broken: JournalFailure | undefined;

  constructor(database: JournalDatabase, reply: (reply: JournalReply) => void) {
    this.#database = database;
    this.#reply = reply;
  }

  /** Serves requests in order; appends that follow each other share a transaction. True when asked to close. */
  serve(requests: readonly JournalRequest[]): boolean {
    const group: AppendRequest[] = [];
    for (const request of requests) {
      if (request.kind === 'append') {
        group.push(request);
        continue;
      }
      this.#write(group.splice(0));
      if (request.kind === 'close') return true;
      this.#read(request);
    }
    this.#write(group);
    return false;
  }

  #write(group: readonly AppendRequest[]): void {
    if (group.length === 0) return;
    const ids = group.map((request) => request.id);
    try {
      // What was numbered after a lost batch must not be stored either.
      if (this.#broken === undefined) this.#database.write(group);
    } catch (error) {
      this.#broken = { ...failureOf(error), code: 'io' };
    }
    if (this.#broken === undefined) this.#reply({ kind: 'appended', ids });
    else this.#reply({ kind: 'failed', ids, ...this.#broken });
  }

  #read(request: Extract<JournalRequest, { kind: 'events' | 'transcript' }>): void {
    const { id, kind } = request;
    try {
      if (kind === 'events') this.#reply({ kind, id, ...this.#database.eventsAfter(request.after) });
      else this.#reply({ kind, id, ...this.#database.itemsFrom(request.agent, request.from) });
    } catch (error) {
      this.#reply({ kind: 'failed', ids: [id], ...failureOf(error) });
    }
  }
}

function start(port: MessagePort, options: JournalWorkerData): void {
  const reply = (message: JournalReply): void => {
    port.postMessage(message);
  };
  let database: JournalDatabase;
  try {
    database = JournalDatabase.open(options);
    reply({ kind: 'opened', ...database.end() });
  } catch (error) {
    reply({ kind: 'not-opened', ...failureOf(error) });
    port.close();
    return;
  }
  const service = new JournalService(database, reply);
  port.on('message', (first: JournalRequest) => {
    const requests = [first];
    // What arrived while the last transaction was committing is taken in at once.
    while (requests.length < groupLimit) {
      const next = receiveMessageOnPort(port);
      if (!next) break;
      requests.push(next.message);
    }
    if (!service.serve(requests)) return;
    database.close();
    port.close();
  });
}

// Started by JournalConnection and by nothing else, so that the data has its type.
const options: JournalWorkerData = workerData;
if (parentPort) start(parentPort, options);
