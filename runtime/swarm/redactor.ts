import type { RunEventBody } from '#protocol/events.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';

/** Shorter values are placeholders for servers that want none, and would be found everywhere. Characters. */
const leastLength = 8;

const replacement = '[redacted]';

/**
 * What the harness writes itself, and finds things again by: words of its own, keys, paths and ids. Nothing of a command
 * gets there, and of a model only what its (redacted) arguments name. `content` is the bytes of files, which the version
 * control has as well and which must come back as they were. All else is text.
 */
const untouched: ReadonlySet<string> = new Set(
  [
    'type kind role state status mode stopReason verification wake ended result',
    'key callKey account agent task trunkTasks handoffs lostCalls model owner',
    'snapshot base commit parked replaces resolves hash scope shared',
    'path paths mergedPaths movedFrom content',
  ].flatMap((names) => names.split(' ')),
);

/** Takes keys out of what is to be stored: a model may write one, and a command may print one. Pure. */
export class Redactor {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    const long = secrets.filter((secret) => secret.length >= leastLength);
    // Arguments of tools are JSON: there, some characters are written otherwise.
    const written = new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
    // One that holds another goes first, so that nothing of it is left.
    this.#secrets = [...written].toSorted((left, right) => right.length - left.length);
  }

  /** The options of a run are what the user asked for, before any model or command: they stay. */
  event(event: RunEventBody): RunEventBody {
    return event.type === 'run.created' ? event : this.#within(event);
  }

  item(item: TranscriptItem): TranscriptItem {
    return this.#within(item);
  }

  #within<Value>(value: Value): Value {
    if (this.#secrets.length === 0) return value;
    // The same shape comes out as goes in: only texts in it change.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#redact(value) as Value;
  }

  #redact(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((each) => this.#redact(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, untouched.has(name) ? field : this.#redact(field)]),
    );
  }

  #text(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, replacement), text);
  }
}
