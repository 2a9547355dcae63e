import { distance } from '../nearest.ts';
import { shortestPrefix, tolerated } from './piece-index.ts';
import { folded, wordsOf } from './words.ts';

const weights = { same: 1, begins: 0.6, similar: 0.4 } as const;
/** What a line gets for holding the query as it was written. */
const literalWeight = 0.5;

export interface LineFit {
  /** How many words of the query the line holds. */
  readonly words: number;
  /** How well it holds them: at most one for each, and more where it holds the query as it was written. */
  readonly weight: number;
}

/** The words of a query, and how well a line fits them. */
export class WantedWords {
  readonly words: readonly string[];
  readonly #query: string;
  /** By a word of the specification: the wanted words that it is similar to. */
  readonly #similar = new Map<string, readonly string[]>();

  constructor(query: string, most: number) {
    this.#query = folded(query).trim().replace(/\s+/gu, ' ');
    this.words = [...new Set(wordsOf(query))].slice(0, most);
  }

  /** @param found words of a piece that was found by these */
  fit(line: string, found: readonly string[]): LineFit | undefined {
    const text = folded(line);
    const similar = found.filter((word) => this.#similarTo(word).length > 0 && text.includes(word));
    // Taking a line apart is dear: only those are that can hold a word.
    if (similar.length === 0 && !this.words.some((word) => text.includes(word))) return undefined;
    const best = new Map<string, number>();
    for (const word of new Set(wordsOf(line))) {
      for (const wanted of this.words) {
        const weight = this.#weight(word, wanted);
        if (weight > (best.get(wanted) ?? 0)) best.set(wanted, weight);
      }
    }
    if (best.size === 0) return undefined;
    const weight = [...best.values()].reduce((sum, one) => sum + one, 0);
    return { words: best.size, weight: text.includes(this.#query) ? weight + literalWeight : weight };
  }

  /** Where the first word of the line begins that fits. */
  placeIn(line: string, found: readonly string[]): number {
    const text = folded(line);
    const places = [...this.words, ...found].map((word) => text.indexOf(word)).filter((place) => place >= 0);
    const literal = text.indexOf(this.#query);
    return literal >= 0 ? literal : places.reduce((least, place) => Math.min(least, place), line.length);
  }

  #weight(word: string, wanted: string): number {
    if (word === wanted) return weights.same;
    if (wanted.length >= shortestPrefix && word.startsWith(wanted)) return weights.begins;
    return this.#similar.get(word)?.includes(wanted) === true ? weights.similar : 0;
  }

  #similarTo(word: string): readonly string[] {
    const known = this.#similar.get(word);
    if (known !== undefined) return known;
    const isExact = this.words.some(
      (wanted) => word === wanted || (wanted.length >= shortestPrefix && word.startsWith(wanted)),
    );
    const similar = isExact ? [] : this.words.filter((wanted) => distance(word, wanted) <= tolerated(wanted));
    this.#similar.set(word, similar);
    return similar;
  }
}
