import { StringDecoder } from 'node:string_decoder';

/** Characters that are kept from the beginning, and as many from the end. */
const half = 16 * 1024;

/** Output of a command as a reader gets it: whole when it is short, else its beginning and its end. Memory is bounded. */
export class CommandOutput {
  /** Bytes of both streams so far. */
  bytes = 0;
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  #head = '';
  #tail = '';
  #cut = 0;

  add(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.#append(this.#decoders[stream].write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
  }

  /** Ends the streams: call once, after the last `add`. */
  text(): string {
    this.#append(this.#decoders.stdout.end() + this.#decoders.stderr.end());
    if (this.#cut === 0) return this.#head + this.#tail;
    // A pair of surrogates may have been cut in two.
    const head = this.#head.toWellFormed();
    const tail = this.#tail.toWellFormed();
    return `${head}\n[… ${this.#cut} characters left out …]\n${tail}`;
  }

  #append(text: string): void {
    const room = half - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    const over = this.#tail.length - half;
    if (over <= 0) return;
    this.#tail = this.#tail.slice(over);
    this.#cut += over;
  }
}
