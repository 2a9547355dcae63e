import type { LogOutputChannel } from 'vscode';

/** What the parts of the extension write to. */
export type Log = Pick<LogOutputChannel, 'debug' | 'error' | 'info' | 'show' | 'warn'>;

/** Keys shorter than this are no keys, and would blacken words. */
const shortest = 8;

/** A log in which no key can stand, whatever is written: the last place before a file that users attach to reports. */
export class SafeLog implements Log {
  readonly #channel: Log;
  readonly #secrets = new Set<string>();

  constructor(channel: Log) {
    this.#channel = channel;
  }

  /** Keys that have been read or set. */
  hide(secrets: Iterable<string>): void {
    for (const secret of secrets) if (secret.length >= shortest) this.#secrets.add(secret);
  }

  debug(message: string): void {
    this.#channel.debug(this.#safe(message));
  }
  info(message: string): void {
    this.#channel.info(this.#safe(message));
  }
  warn(message: string): void {
    this.#channel.warn(this.#safe(message));
  }
  error(error: string | Error): void {
    this.#channel.error(this.#safe(error instanceof Error ? (error.stack ?? error.message) : error));
  }
  show(): void {
    this.#channel.show();
  }

  #safe(text: string): string {
    let safe = text;
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, '[redacted]');
    return safe;
  }
}
