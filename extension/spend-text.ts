import type { Spend } from '#protocol/projection-ledger.ts';

/**
 * What calls have cost, shortly: `$0.42`, or tokens where no price is known, with a tilde where they are estimated. Empty
 * when nothing was called.
 */
export function spendText(spend: Spend, locale: string, tokensLabel: (tokens: string) => string): string {
  const { calls, usd, unpricedCalls, usage } = spend;
  if (calls === 0) return '';
  if (unpricedCalls < calls) return `${dollarText(usd, locale)}${unpricedCalls > 0 ? '+' : ''}`;
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const tokens = compact.format(usage.inputTokens + usage.outputTokens);
  return tokensLabel(usage.estimated === true ? `~${tokens}` : tokens);
}

/** In cents, as far as there are whole ones: an amount that is no zero is not shown as one. */
export function dollarText(usd: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  });
  return usd > 0 && usd < 0.01 ? `<${format.format(0.01)}` : format.format(usd);
}
