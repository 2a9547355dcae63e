import { SqlError } from '../errors.mjs';

const reservedWords = new Set(
  (
    'and as between by case cast create delete distinct drop else end escape exists false from group having in inner ' +
    'insert into is join left like limit not null offset on or order outer select set table then true update values ' +
    'when where'
  ).split(' '),
);

/**
 * A place in a list of tokens. The parsers ask it for what they want next. How a query is read it is told, because
 * expressions hold queries and queries hold expressions.
 */
export class TokenCursor {
  #tokens;
  #parseQuery;
  #index = 0;

  constructor(tokens, parseQuery) {
    this.#tokens = tokens;
    this.#parseQuery = parseQuery;
  }

  get token() {
    return this.#tokens[this.#index];
  }

  /** Takes the next token, whatever it is. */
  take() {
    const { token } = this;
    if (token.kind !== 'end') this.#index += 1;
    return token;
  }

  isWord(word) {
    return this.token.kind === 'word' && this.token.text === word;
  }

  isSymbol(...symbols) {
    return this.isSymbolAt(0, ...symbols);
  }

  /** Looks at the token that comes `offset` tokens after the next one. */
  isSymbolAt(offset, ...symbols) {
    const token = this.#tokens[this.#index + offset];
    return token?.kind === 'symbol' && symbols.includes(token.text);
  }

  /** Takes the words if they all come next, in their order. */
  acceptWords(...words) {
    const found = words.every((word, offset) => {
      const token = this.#tokens[this.#index + offset];
      return token?.kind === 'word' && token.text === word;
    });
    if (found) this.#index += words.length;
    return found;
  }

  acceptSymbol(symbol) {
    if (!this.isSymbol(symbol)) return false;
    this.#index += 1;
    return true;
  }

  expectWords(...words) {
    if (!this.acceptWords(...words)) throw this.unexpected(words.join(' ').toUpperCase());
  }

  expectSymbol(symbol) {
    if (!this.acceptSymbol(symbol)) throw this.unexpected(symbol);
  }

  isIdentifier() {
    const { kind, text } = this.token;
    return kind === 'name' || (kind === 'word' && !reservedWords.has(text));
  }

  /** Takes a name; `what` says what it names. */
  expectIdentifier(what) {
    if (!this.isIdentifier()) throw this.unexpected(what);
    return this.take().text;
  }

  /** Takes what `parse` reads, once or more, with commas between. */
  list(parse) {
    const found = [parse()];
    while (this.acceptSymbol(',')) found.push(parse());
    return found;
  }

  /** Takes a query. */
  query() {
    return this.#parseQuery(this);
  }

  unexpected(wanted) {
    const { text, at } = this.token;
    return new SqlError('syntax_error', `expected ${wanted} at ${at}, found ${text}`);
  }
}
