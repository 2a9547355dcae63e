import type { Spend } from '#protocol/projection-ledger.ts';
import { l10n, language } from './words.ts';

const whole = new Intl.NumberFormat(language);
const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const money = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
});
const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });

export function numberText(value: number): string {
  return whole.format(value);
}

export function rateText(value: number): string {
  return oneDigit.format(value);
}

export function tokensText(tokens: number): string {
  return compact.format(tokens);
}

/** In cents, as far as there are whole ones: an amount that is no zero is not shown as one. */
export function dollarText(usd: number): string {
  return usd > 0 && usd < 0.01 ? `<${money.format(0.01)}` : money.format(usd);
}

/** `$0.42`, `$0.42+` where some calls have no known price, tokens where none has; empty when nothing was called. */
export function spendText({ calls, usd, unpricedCalls, usage }: Spend): string {
  if (calls === 0) return '';
  if (unpricedCalls < calls) return `${dollarText(usd)}${unpricedCalls > 0 ? '+' : ''}`;
  return l10n.t('{0} tokens', tokensText(usage.inputTokens + usage.outputTokens));
}

/** The part of `provider/name` that tells models apart. */
export function modelText(model: string | undefined): string {
  return model?.slice(model.indexOf('/') + 1) ?? '';
}

export function timeText(time: number): string {
  return clock.format(time);
}

/** How long something took or is ago, in its largest unit: `12 s`, `3 min`, `2 h`, `5 d`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return l10n.t('{0} s', seconds);
  if (seconds < 3600) return l10n.t('{0} min', Math.floor(seconds / 60));
  return seconds < 86_400
    ? l10n.t('{0} h', Math.floor(seconds / 3600))
    : l10n.t('{0} d', Math.floor(seconds / 86_400));
}
