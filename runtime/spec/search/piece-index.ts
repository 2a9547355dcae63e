import MiniSearch, { type Options } from 'minisearch';
import { inSteps } from '../steps.ts';
import { Postings } from './postings.ts';
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

export interface PieceText {
  readonly piece: Piece;
  readonly title: string;
  readonly text: string;
}

export interface FoundPiece {
  readonly piece: Piece;
  readonly score: number;
  /** The words of the piece that made it be found. */
  readonly words: readonly string[];
}

/** How much a query's words may differ from the words that they find. */
export type Strictness = 'all-words' | 'all-words-roughly' | 'some-words-roughly';

/** Characters that are indexed with each step: some 20 ms. */
const stepLength = 128 * 1024;

/** The shortest word that stands for all words that it begins. */
export const shortestPrefix = 3;

/** Letters that may be missing, wrong or too many in a word. */
export function tolerated(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 6 ? 1 : 2;
}

/** Pieces that score less than this share of the best are noise, where not all words are asked for. */
const leastShare = 0.25;

const options: Options<never> = {
  fields: ['title', 'text'],
  tokenize: wordsOf,
  processTerm: (word) => word,
  searchOptions: { boost: { title: 2 } },
};

/** The search index: which pieces hold which words, ranked by BM25+. Of equal ones the first comes first. */
export class PieceIndex {
  readonly #index: MiniSearch<never>;
  readonly #pieces: readonly Piece[];

  private constructor(index: MiniSearch<never>, pieces: readonly Piece[]) {
    this.#index = index;
    this.#pieces = pieces;
  }

  /** Indexes the pieces that are given with their texts. */
  static async of(texts: Iterable<PieceText>): Promise<PieceIndex> {
    const pieces: Piece[] = [];
    const postings = new Postings();
    await inSteps(collect(texts, pieces, postings));
    const index = await MiniSearch.loadJSAsync(await inSteps(postings.serialized()), options);
    return new PieceIndex(index, pieces);
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

function* collect(texts: Iterable<PieceText>, pieces: Piece[], postings: Postings): Generator<void, void> {
  let length = 0;
  for (const { piece, title, text } of texts) {
    postings.add(wordsOf(title), wordsOf(text));
    pieces.push(piece);
    length += text.length;
    if (length < stepLength) continue;
    length = 0;
    yield;
  }
}
