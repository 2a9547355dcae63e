type Mark = 'code' | 'lowered' | 'quoted' | 'raised' | 'struck';

/** What stands around marked text: `2^10`, not `210`, and what was struck out is no requirement. */
const marks: Readonly<
  Record<Mark, { readonly begin: string; readonly end: string; readonly alone?: string }>
> = {
  code: { begin: '`', end: '`' },
  lowered: { begin: '_(', end: ')', alone: '_' },
  quoted: { begin: '"', end: '"' },
  raised: { begin: '^(', end: ')', alone: '^' },
  struck: { begin: '~~', end: '~~' },
};

/** Marked text that needs no parentheses. */
const alone = /^(?:[\p{L}\p{N}]+|\[[^\s\]]*\])$/u;

/** Links of a heading to itself. */
const permalinks: Readonly<Record<'heading' | 'text', RegExp>> = {
  heading: /^\s*(?:[#§¶]|[⚓🔗]\uFE0F?)\s*$/u,
  text: /^\s*¶\s*$/u,
};

/** The most pieces that are looked at again, so that time grows with the text alone. */
const fewPieces = 8;

/** The text of one block, with white space as a browser shows it. */
export class InlineText {
  readonly #kind: 'heading' | 'text';
  readonly #pieces: string[] = [];
  readonly #open = new Map<Mark, { depth: number; readonly at: number }>();
  #anchor: number | undefined;
  #hasText = false;

  constructor(kind: 'heading' | 'text') {
    this.#kind = kind;
  }

  get hasText(): boolean {
    return this.#hasText;
  }

  add(text: string): void {
    // Most text is as it is shown, and looking takes less time than replacing.
    const shown = /[\t\n\f\r\u00A0\u00AD]| {2}/u.test(text)
      ? text.replace(/[ \t\n\f\r\u00A0]+/gu, ' ').replaceAll('\u00AD', '')
      : text;
    if (shown === '') return;
    this.#hasText ||= shown !== ' ';
    this.#pieces.push(shown);
  }

  breakLine(): void {
    this.#pieces.push('\n');
  }

  openAnchor(): void {
    this.#anchor = this.#pieces.length;
  }

  closeAnchor(): void {
    const text = this.#since(this.#anchor);
    if (this.#anchor !== undefined && text !== undefined && permalinks[this.#kind].test(text)) {
      this.#pieces.length = this.#anchor;
    }
    this.#anchor = undefined;
  }

  open(mark: Mark): void {
    // A title is plain text.
    if (this.#kind === 'heading' && (mark === 'code' || mark === 'struck')) return;
    const state = this.#open.get(mark);
    if (state !== undefined) {
      state.depth += 1;
      return;
    }
    this.#open.set(mark, { depth: 1, at: this.#pieces.length });
    this.#pieces.push(marks[mark].begin);
  }

  close(mark: Mark): void {
    const state = this.#open.get(mark);
    if (state === undefined) return;
    state.depth -= 1;
    if (state.depth === 0) this.#end(mark, state.at);
  }

  /** The lines, without blanks around them and without blank ones. Empties this. */
  take(): string[] {
    if (this.#pieces.length === 0) return [];
    for (const [mark, { at }] of this.#open) this.#end(mark, at);
    const joined = this.#pieces.join('');
    const text = joined.includes('  ') ? joined.replace(/ {2,}/gu, ' ') : joined;
    this.#pieces.length = 0;
    this.#anchor = undefined;
    this.#hasText = false;
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }

  #end(mark: Mark, at: number): void {
    this.#open.delete(mark);
    const { end, alone: short } = marks[mark];
    const inside = this.#since(at + 1);
    if (inside?.trim() === '') {
      this.#pieces.splice(at, 1);
    } else if (short !== undefined && inside !== undefined && alone.test(inside)) {
      this.#pieces[at] = short;
    } else {
      this.#pieces.push(end);
    }
  }

  /** The text since the piece `at`, where it is short. */
  #since(at: number | undefined): string | undefined {
    if (at === undefined || this.#pieces.length - at > fewPieces) return undefined;
    return this.#pieces.slice(at).join('');
  }
}
