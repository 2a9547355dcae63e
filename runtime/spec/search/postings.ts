import type { AsPlainObject } from 'minisearch';

const fields = ['title', 'text'] as const;
/** Words whose entries are made with each step. */
const stepLength = 1000;

type Index = AsPlainObject['index'];

/** One field of all pieces: the numbers of its words, piece after piece. */
class FieldWords {
  #words = new Uint32Array(1024);
  #length = 0;
  /** Where the words of each piece end. */
  readonly #ends: number[] = [];
  /** By a word's number: the last piece that holds it, plus one. */
  readonly #lastPiece: number[] = [];
  #different = 0;

  /** @returns how many different words the piece has */
  add(words: Iterable<number>): number {
    const before = this.#different;
    const piece = this.#ends.length + 1;
    for (const word of words) {
      if (this.#length === this.#words.length) this.#grow();
      this.#words[this.#length] = word;
      this.#length += 1;
      while (this.#lastPiece.length <= word) this.#lastPiece.push(0);
      if (this.#lastPiece[word] !== piece) this.#different += 1;
      this.#lastPiece[word] = piece;
    }
    this.#ends.push(this.#length);
    return this.#different - before;
  }

  /** Different words of a piece. */
  get average(): number {
    return this.#different / Math.max(1, this.#ends.length);
  }

  /** The pieces that hold a word, each as often as it does, in order: of the word `n` those from `starts[n]` on. */
  byWord(words: number): { readonly starts: Uint32Array; readonly pieces: Uint32Array } {
    const starts = new Uint32Array(words + 1);
    for (let at = 0; at < this.#length; at += 1) {
      const next = (this.#words[at] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let word = 1; word <= words; word += 1) starts[word] = (starts[word] ?? 0) + (starts[word - 1] ?? 0);
    const free = starts.slice();
    const pieces = new Uint32Array(this.#length);
    let at = 0;
    for (const [piece, end] of this.#ends.entries()) {
      for (; at < end; at += 1) {
        const word = this.#words[at] ?? 0;
        const place = free[word] ?? 0;
        pieces[place] = piece;
        free[word] = place + 1;
      }
    }
    return { starts, pieces };
  }

  #grow(): void {
    const words = new Uint32Array(2 * this.#words.length);
    words.set(this.#words);
    this.#words = words;
  }
}

/**
 * Collects which piece holds which word, in the form that MiniSearch reads. To add piece after piece to MiniSearch itself
 * takes much longer: it looks into a map of its own for each word that it meets, here one map after the other is filled.
 */
export class Postings {
  readonly #numbers = new Map<string, number>();
  readonly #title = new FieldWords();
  readonly #text = new FieldWords();
  /** Of each piece: the different words of each field. */
  readonly #lengths: number[][] = [];

  /** Adds a piece; its number is that of the pieces before it. */
  add(title: readonly string[], text: readonly string[]): void {
    this.#lengths.push([this.#title.add(this.#numbered(title)), this.#text.add(this.#numbered(text))]);
  }

  /** The index as `MiniSearch.loadJS` takes it: what its `toJSON` gives for the same pieces, except for the words' order. */
  *serialized(): Generator<void, AsPlainObject> {
    const ofFields = [this.#title, this.#text].map((field) => field.byWord(this.#numbers.size));
    yield;
    const index: Index = [];
    for (const [word, number] of this.#numbers) {
      const ofWord: Index[number][1] = {};
      for (const [field, { starts, pieces }] of ofFields.entries()) {
        const ofField = pieces.subarray(starts[number], starts[number + 1]);
        if (ofField.length > 0) ofWord[field] = counted(ofField);
      }
      index.push([word, ofWord]);
      if (index.length % stepLength === 0) yield;
    }
    const count = this.#lengths.length;
    return {
      documentCount: count,
      nextId: count,
      documentIds: Object.fromEntries(Array.from(this.#lengths.keys()).entries()),
      fieldIds: Object.fromEntries(fields.map((name, field) => [name, field])),
      fieldLength: Object.fromEntries(this.#lengths.entries()),
      averageFieldLength: [this.#title.average, this.#text.average],
      storedFields: {},
      dirtCount: 0,
      index,
      serializationVersion: 2,
    };
  }

  #numbered(words: readonly string[]): number[] {
    return words.map((word) => {
      const known = this.#numbers.get(word);
      if (known !== undefined) return known;
      const number = this.#numbers.size;
      this.#numbers.set(word, number);
      return number;
    });
  }
}

/** How often each piece is in the list, in which equal ones stand together. */
function counted(pieces: Uint32Array): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let at = 0; at < pieces.length;) {
    const piece = pieces[at] ?? 0;
    let end = at + 1;
    while (end < pieces.length && pieces[end] === piece) end += 1;
    counts[piece] = end - at;
    at = end;
  }
  return counts;
}
