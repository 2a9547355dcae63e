import MiniSearch from 'minisearch';
import { wordsOf } from './words.ts';

/** Lines of one section that are found together. A section of usual length is one piece. */
export interface Piece {
  /** The section's place in the outline. */
  readonly section: number;
  readonly document: string;
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface FoundPiece {
  readonly piece: Piece;
  readonly score: number;
  /** The words of the piece that made it be found. */
  readonly words: readonly string[];
}

/** How much a query's words may differ from the words that they find. */
export type Strictness = 'all-words' | 'all-words-roughly' | 'some-words-roughly';

interface IndexedPiece {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** The shortest word that stands for all words that it begins. */
export const shortestPrefix = 3;

/** Letters that may be missing, wrong or too many in a word. */
export function tolerated(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 6 ? 1 : 2;
}

/** Pieces that score less than this share of the best are noise, where not all words are asked for. */
const leastShare = 0.25;

/** MiniSearch, which looks up a word in its tree once instead of each time that the word occurs: half of its time. */
class RememberingIndex extends MiniSearch<IndexedPiece> {
  constructor() {
    super({
      fields: ['title', 'text'],
      tokenize: wordsOf,
      processTerm: (word) => word,
      autoVacuum: false,
      searchOptions: { boost: { title: 2 } },
    });
    // oxlint-disable-next-line no-underscore-dangle -- the library's name for what it leaves to its heirs
    const tree = this._index;
    const fetch = tree.fetch.bind(tree);
    const known = new Map<string, ReturnType<typeof fetch>>();
    tree.fetch = (word, initial) => {
      const entry = known.get(word) ?? fetch(word, initial);
      known.set(word, entry);
      return entry;
    };
  }
}

/** The search index: which pieces hold which words, ranked by BM25+. Of equal ones the first comes first. */
export class PieceIndex {
  readonly #index = new RememberingIndex();
  readonly #pieces: Piece[] = [];

  add(piece: Piece, title: string, text: string): void {
    this.#index.add({ id: this.#pieces.length, title, text });
    this.#pieces.push(piece);
  }

  /** @param words as `wordsOf` gives them */
  find(words: readonly string[], strictness: Strictness): readonly FoundPiece[] {
    const results = this.#index.search(words.join(' '), {
      combineWith: strictness === 'some-words-roughly' ? 'OR' : 'AND',
      prefix: (word) => word.length >= shortestPrefix,
      fuzzy: strictness === 'all-words' ? false : (word): false | number => tolerated(word) || false,
    });
    const least = strictness === 'some-words-roughly' ? (results[0]?.score ?? 0) * leastShare : 0;
    const found: (FoundPiece & { readonly id: number })[] = [];
    for (const { id, score, terms } of results) {
      const piece = typeof id === 'number' ? this.#pieces[id] : undefined;
      if (piece !== undefined && score >= least) found.push({ piece, score, words: terms, id });
    }
    return found.toSorted((left, right) => right.score - left.score || left.id - right.id);
  }
}
