import type { ModelPrice } from '#protocol/model-price.ts';
import { builtInPrice } from '#models/prices.ts';

/** Prices by choice; one that is not known has no entry. */
export function knownPrices(choices: readonly string[]): Readonly<Record<string, ModelPrice>> {
  return Object.fromEntries(
    choices.flatMap((choice) => {
      const price = builtInPrice(choice);
      return price === undefined ? [] : [[choice, price] as const];
    }),
  );
}
