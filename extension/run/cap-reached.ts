import type { Caps } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';

export type SpendCap = 'minutes' | 'tokens' | 'usd';

/** The cap that has stopped a run, when one has: with a higher one it can go on. */
export function capReached(state: Pick<RunState, 'braked' | 'caps'>): SpendCap | undefined {
  const { braked, caps } = state;
  if (braked === undefined || caps === undefined) return undefined;
  const [, named] = /^the cap on (\w+) is reached/u.exec(braked) ?? [];
  if (named === 'usd' || named === 'tokens') return named;
  return /^the cap of [\d.]+ minutes is reached/u.test(braked) ? 'minutes' : undefined;
}

/** What is proposed in its place. */
export function raisedCap(cap: SpendCap, caps: Caps): number {
  const doubled = (caps[cap] ?? 1) * 2;
  return cap === 'tokens' ? Math.ceil(doubled) : Math.round(doubled * 100) / 100;
}

/** Undefined unless the text is a number above what the cap is now. */
export function readRaise(text: string, cap: SpendCap, caps: Caps): number | undefined {
  const value = Number(text.trim().replace(/^\$/u, ''));
  if (!Number.isFinite(value) || value <= (caps[cap] ?? 0)) return undefined;
  return cap === 'tokens' ? Math.floor(value) : value;
}
