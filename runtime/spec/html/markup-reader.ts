import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** What a page consists of, in its order. Names are in lower case. */
export interface MarkupHandler {
  start(name: string, attributes: ReadonlyMap<string, string>, closesItself: boolean): void;
  end(name: string): void;
  text(text: string): void;
  /** Whether an `svg` is open, where other rules hold. */
  isInDrawing(): boolean;
}

/** The attributes that mean something for the text. */
const wanted = new Set(['alt', 'colspan', 'role', 'start', 'value']);

/**
 * Reads a page piece by piece. This is the tokenizer of htmlparser2 without its parser: the parser keeps its open
 * elements such that each start or end in a deep page costs time that grows with the depth.
 */
export class MarkupReader implements TokenizerCallbacks {
  readonly #page: string;
  readonly #handler: MarkupHandler;
  readonly #tokenizer: Tokenizer;
  #name = '';
  #attribute: string | undefined;
  #value = '';
  #attributes = new Map<string, string>();

  constructor(page: string, handler: MarkupHandler) {
    this.#page = page;
    this.#handler = handler;
    this.#tokenizer = new Tokenizer({}, this);
  }

  /** Reads the whole page, `length` characters with each step. */
  *steps(length: number): Generator<void, void> {
    for (let from = 0; from < this.#page.length; from += length) {
      this.#tokenizer.write(this.#page.slice(from, from + length));
      yield;
    }
    this.#tokenizer.end();
  }

  ontext(start: number, end: number): void {
    this.#handler.text(this.#page.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#handler.text(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endLength: number): void {
    // Outside of drawings it is a comment.
    if (this.isInForeignContext()) this.#handler.text(this.#page.slice(start, end - endLength));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#page.slice(start, end).toLowerCase();
    if (this.#attributes.size > 0) this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    const name = end - start > 8 ? '' : this.#page.slice(start, end).toLowerCase();
    this.#attribute = wanted.has(name) && !this.#attributes.has(name) ? name : undefined;
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== undefined) this.#value += this.#page.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#attribute !== undefined) this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.#attribute !== undefined) this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    this.#handler.start(this.#name, this.#attributes, false);
  }

  onselfclosingtag(): void {
    // HTML knows no such tags: `<div/>` is a start.
    this.#handler.start(this.#name, this.#attributes, this.#name === 'svg');
  }

  onclosetag(start: number, end: number): void {
    this.#handler.end(this.#page.slice(start, end).toLowerCase());
  }

  isInForeignContext(): boolean {
    return this.#handler.isInDrawing();
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
