/** Dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}
