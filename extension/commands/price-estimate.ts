import type { ModelPrice } from '#protocol/model-price.ts';

/** Characters of a token, roughly: English prose has about four with the tokenizers of today. */
const charactersPerToken = 4;

/** Tokens that a text of so many characters is, roughly. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Dollars for reading a text once: the least that a model which is given all of it costs. */
export function readingCost(characters: number, price: ModelPrice): number {
  return (tokensOf(characters) * price.input) / 1e6;
}
