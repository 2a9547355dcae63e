import { randomBytes } from 'node:crypto';

/** Randomness for ids and jitter; injected, so that a run can be repeated. */
export interface Randomness {
  /** A number in [0, 1). */
  next(): number;
  /** `bytes` random bytes as lower-case hex, so 2 × `bytes` characters. */
  hex(bytes: number): string;
}

export const systemRandomness: Randomness = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};

/** The same sequence for the same seed (mulberry32, public domain, Tommy Ettinger 2017). Not for secrets. */
export class SeededRandomness implements Randomness {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  hex(bytes: number): string {
    let text = '';
    for (let index = 0; index < bytes; index += 1) {
      text += Math.floor(this.next() * 256)
        .toString(16)
        .padStart(2, '0');
    }
    return text;
  }
}
