import type { AsPlainObject } from 'minisearch';

const fields = ['title', 'text'] as const;
type Field = (typeof fields)[number];
/** Words whose entries are made with each step. */
const stepLength = 2000;

/** Of one word and one field: the numbers of the pieces that hold it, each followed by how often it does. */
type Entries = number[];

/**
 * Collects which piece holds which word, in the form that MiniSearch reads. To add piece after piece to MiniSearch itself
 * takes three times as long: it looks into a map of its own for each word that it meets, here one map after the other is
 * filled.
 */
export class Postings {
  readonly #words = new Map<string, Record<Field, Entries>>();
  /** Of each piece: the different words of each field. */
  readonly #lengths: number[][] = [];
  readonly #total: Record<Field, number> = { title: 0, text: 0 };

  /** Adds a piece; its number is that of the pieces before it. */
  add(title: readonly string[], text: readonly string[]): void {
    const number = this.#lengths.length;
    this.#lengths.push([this.#addField(number, 'title', title), this.#addField(number, 'text', text)]);
  }

  /** The index as `MiniSearch.loadJS` takes it: what its `toJSON` gives for the same pieces, except for the words' order. */
  *serialized(): Generator<void, AsPlainObject> {
    const index: AsPlainObject['index'] = [];
    for (const [word, entries] of this.#words) {
      const ofWord: AsPlainObject['index'][number][1] = {};
      for (const [field, name] of fields.entries()) {
        if (entries[name].length > 0) ofWord[field] = toObject(entries[name]);
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
      averageFieldLength: fields.map((name) => this.#total[name] / Math.max(1, count)),
      storedFields: {},
      dirtCount: 0,
      index,
      serializationVersion: 2,
    };
  }

  /** @returns how many different words there are */
  #addField(number: number, field: Field, words: readonly string[]): number {
    let different = 0;
    for (const word of words) {
      let ofWord = this.#words.get(word);
      if (ofWord === undefined) {
        ofWord = { title: [], text: [] };
        this.#words.set(word, ofWord);
      }
      const entries = ofWord[field];
      const last = entries.length - 1;
      if (entries[last - 1] === number) {
        entries[last] = (entries[last] ?? 0) + 1;
      } else {
        entries.push(number, 1);
        different += 1;
      }
    }
    this.#total[field] += different;
    return different;
  }
}

function toObject(entries: Entries): Record<string, number> {
  const object: Record<string, number> = {};
  for (let at = 0; at < entries.length; at += 2) object[entries[at] ?? 0] = entries[at + 1] ?? 0;
  return object;
}
