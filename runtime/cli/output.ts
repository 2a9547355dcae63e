import type { Host, OutputStream } from './host.ts';

/** What a program writes, with the keys that are in the environment left out of it. */
export class Output {
  /** Where progress and text for people go: stderr when the last line of stdout is to be JSON. */
  readonly people: OutputStream;
  readonly #host: Host;
  readonly #secrets: readonly string[];

  constructor(host: Host, json: boolean) {
    this.#host = host;
    this.people = json ? host.stderr : host.stdout;
    this.#secrets = secretsOf(host.environment);
  }

  /** Text for people, made safe by the caller where it is foreign. */
  line(text = ''): void {
    this.people.write(`${this.redact(text)}\n`);
  }

  /** One JSON value as a line of stdout. */
  json(value: unknown): void {
    this.#host.stdout.write(`${this.redact(JSON.stringify(value))}\n`);
  }

  /** What went wrong. */
  problem(text: string): void {
    this.#host.stderr.write(`${this.redact(text)}\n`);
  }

  redact(text: string): string {
    return this.#secrets.reduce((kept, secret) => kept.replaceAll(secret, '[key]'), text);
  }
}

/** Values of variables that are named like keys. Short ones are no keys, and would be found everywhere. */
function secretsOf(environment: Host['environment']): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    /(^|_)(KEY|TOKEN|SECRET|PASSWORD)$/iu.test(name) && value !== undefined && value.length >= 8
      ? [value]
      : [],
  );
}

/** True when lines can be drawn over: a terminal that is not `dumb`. */
export function canRepaint(stream: OutputStream, environment: Host['environment']): boolean {
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}

/** https://no-color.org: any value that is not empty means no colour. */
export function hasColour(stream: OutputStream, environment: Host['environment']): boolean {
  return canRepaint(stream, environment) && !environment['NO_COLOR'];
}
