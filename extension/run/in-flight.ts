import type { Ledger } from '#protocol/projection-ledger.ts';

/** Whether answers are under way that cost something: money at a known price, or tokens at one that nobody knows. */
export function mayBeLost(ledger: Pick<Ledger, 'open'>): boolean {
  return [...ledger.open.values()].some(({ usd }) => usd === null || usd > 0);
}
