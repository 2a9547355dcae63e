import type { SpecDocument } from '../outline.ts';
import type { SearchHit, Section } from '../specification.ts';
import { PieceIndex, type FoundPiece, type PieceText } from './piece-index.ts';
import { WantedWords, type LineFit } from './wanted-words.ts';
import { folded } from './words.ts';

/** Characters of a piece; a line that is longer is several pieces. */
const pieceLength = 16 * 1024;
const longestHit = 200;
/** What of a long line is shown before the word that was found. */
const before = 60;
const mostWords = 32;
/** Of a piece, so many lines come before the lines of the next one. */
const firstLines = 3;

interface RankedLine extends LineFit {
  readonly line: number;
}

interface RankedPiece {
  readonly found: FoundPiece;
  readonly lines: readonly RankedLine[];
  readonly rank: number;
}

/** Search over all sections of a specification. */
export class SpecSearch {
  readonly #outline: readonly Section[];
  readonly #documents: ReadonlyMap<string, readonly string[]>;
  readonly #index: PieceIndex;

  private constructor(
    outline: readonly Section[],
    lines: ReadonlyMap<string, readonly string[]>,
    index: PieceIndex,
  ) {
    this.#outline = outline;
    this.#documents = lines;
    this.#index = index;
  }

  /** Builds the index, in which others have their turn again and again. */
  static async over(outline: readonly Section[], documents: readonly SpecDocument[]): Promise<SpecSearch> {
    const lines = new Map(documents.map((document) => [document.name, document.lines]));
    return new SpecSearch(outline, lines, await PieceIndex.of(pieceTexts(outline, lines)));
  }

  /** See `Specification.search`. */
  search(query: string, limit: number): readonly SearchHit[] {
    if (limit <= 0 || query.trim() === '') return [];
    const wanted = new WantedWords(query, mostWords);
    if (wanted.words.length === 0) return this.#literally(query, limit);
    for (const strictness of ['all-words', 'all-words-roughly', 'some-words-roughly'] as const) {
      const found = this.#index.find(wanted.words, strictness);
      if (found.length > 0) return this.#hits(found, wanted, limit);
    }
    return this.#literally(query, limit);
  }

  #hits(found: readonly FoundPiece[], wanted: WantedWords, limit: number): readonly SearchHit[] {
    const taken = new Set<string>();
    const ranked = found
      .slice(0, Math.max(2 * limit, 20))
      .map((piece) => this.#rank(piece, wanted, taken))
      .filter(({ lines }) => lines.length > 0)
      // Stable: of equal ones the first in the specification stays first.
      .toSorted((left, right) => right.rank - left.rank);
    const toHits = ({ found: { piece, words }, lines }: RankedPiece): SearchHit[] =>
      lines.map(({ line }) => {
        const text = this.#line(piece.document, line);
        const shown = excerpt(text, text.length <= longestHit ? 0 : wanted.placeIn(text, words));
        return {
          section: this.#outline[piece.section]?.id ?? '',
          document: piece.document,
          line,
          text: shown,
        };
      });
    const hits = ranked.map((piece) => toHits(piece));
    const first = hits.flatMap((ofPiece) => ofPiece.slice(0, firstLines));
    const others = hits.flatMap((ofPiece) => ofPiece.slice(firstLines));
    return [...first, ...others].slice(0, limit);
  }

  /** The lines of the piece that hold the most words of the query, the best first; its first line where none holds any. */
  #rank(found: FoundPiece, wanted: WantedWords, taken: Set<string>): RankedPiece {
    const { document, firstLine, lastLine } = found.piece;
    const lines: RankedLine[] = [];
    for (let line = firstLine; line <= lastLine; line += 1) {
      const key = `${line} ${document}`;
      if (taken.has(key)) continue;
      const fit = wanted.fit(this.#line(document, line), found.words);
      if (fit === undefined) continue;
      taken.add(key);
      lines.push({ ...fit, line });
    }
    const most = lines.reduce((words, line) => Math.max(words, line.words), 0);
    const best = lines
      .filter(({ words }) => words === most)
      .toSorted((left, right) => right.weight - left.weight || left.line - right.line);
    const share = (best[0]?.weight ?? 0) / wanted.words.length;
    const rank = found.score * (0.5 + 0.5 * share);
    if (best.length > 0) return { found, lines: best, rank };
    const isTaken = taken.has(`${firstLine} ${document}`);
    taken.add(`${firstLine} ${document}`);
    // Its title was found, which can be that of the document.
    return { found, lines: isTaken ? [] : [{ line: firstLine, words: 0, weight: 0 }], rank };
  }

  /** Lines that hold all that stands between the blanks of the query, such as `||` or a part of a word. */
  #literally(query: string, limit: number): readonly SearchHit[] {
    const wanted = folded(query)
      .split(/\s+/u)
      .filter((part) => part !== '');
    const hits: SearchHit[] = [];
    for (const { id, document, firstLine, lastLine } of this.#outline) {
      for (let line = firstLine; line <= lastLine; line += 1) {
        const text = this.#line(document, line);
        const lower = folded(text);
        if (!wanted.every((part) => lower.includes(part))) continue;
        const place = text.length <= longestHit ? 0 : lower.indexOf(wanted[0] ?? '');
        hits.push({ section: id, document, line, text: excerpt(text, place) });
        if (hits.length >= limit) return hits;
      }
    }
    return hits;
  }

  #line(document: string, line: number): string {
    return this.#documents.get(document)?.[line - 1] ?? '';
  }
}

/** All sections in pieces. */
function* pieceTexts(
  outline: readonly Section[],
  documents: ReadonlyMap<string, readonly string[]>,
): Generator<PieceText, void> {
  for (const [position, { title, document, firstLine, lastLine }] of outline.entries()) {
    const lines = documents.get(document) ?? [];
    let from = firstLine;
    let length = 0;
    for (let line = firstLine; line <= lastLine; line += 1) {
      length += (lines[line - 1] ?? '').length + 1;
      if (length < pieceLength && line < lastLine) continue;
      const piece = { section: position, document, firstLine: from, lastLine: line };
      for (const text of parts(lines.slice(from - 1, line).join('\n'))) yield { piece, title, text };
      from = line + 1;
      length = 0;
    }
  }
}

/** `text` in parts of `pieceLength`, or up to twice that, so that they end where a word ends. */
function* parts(text: string): Generator<string, void> {
  let from = 0;
  while (from < text.length) {
    const end = from + pieceLength;
    const blank = text.slice(end, end + pieceLength).search(/\s/u);
    const to = blank === -1 ? end + pieceLength : end + blank;
    yield text.slice(from, to);
    from = to;
  }
}

/** A line, or of a long one what stands around `place`. */
function excerpt(line: string, place: number): string {
  if (line.length <= longestHit) return line.toWellFormed();
  const start = Math.max(0, Math.min(place - before, line.length - longestHit + 2));
  const first = start === 0 ? 0 : wordStart(line, start, place);
  const room = longestHit - (first === 0 ? 0 : 1);
  const isCut = line.length - first > room;
  const shown = line.slice(first, first + (isCut ? room - 1 : room));
  return `${first === 0 ? '' : '…'}${shown}${isCut ? '…' : ''}`.toWellFormed();
}

function wordStart(line: string, from: number, most: number): number {
  const blank = line.indexOf(' ', from - 1);
  return blank === -1 || blank >= most ? from : blank + 1;
}
