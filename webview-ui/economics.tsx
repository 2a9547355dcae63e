import type { ReactNode } from 'react';
import type { Ledger, Spend } from '#protocol/projection-ledger.ts';
import { dollarText, numberText, tokensText } from './format.ts';
import { roleLabel } from './labels.ts';
import { Section, Table } from './parts.tsx';
import { l10n } from './words.ts';

function priceText({ usd, unpricedCalls, calls }: Spend): string {
  if (calls > 0 && unpricedCalls === calls) return l10n.t('no price');
  return `${dollarText(usd)}${unpricedCalls > 0 ? '+' : ''}`;
}

function cellsOf(name: string, spend: Spend): { readonly key: string; readonly cells: readonly string[] } {
  const { inputTokens, cachedInputTokens, outputTokens } = spend.usage;
  const numbers = [inputTokens, cachedInputTokens, outputTokens].map(tokensText);
  return { key: name, cells: [name, numberText(spend.calls), ...numbers, priceText(spend)] };
}

interface SpendTableProps {
  readonly label: string;
  readonly first: string;
  readonly spends: readonly (readonly [name: string, spend: Spend])[];
}

/** What calls have cost, a line each. */
export function SpendTable({ label, first, spends }: SpendTableProps): ReactNode {
  const numbers = [l10n.t('Calls'), l10n.t('Input'), l10n.t('Cached'), l10n.t('Output'), l10n.t('Cost')];
  return (
    <Table
      label={label}
      columns={[first, ...numbers.map((name) => `#${name}`)]}
      rows={spends.map(([name, spend]) => cellsOf(name, spend))}
    />
  );
}

/** What the run costs, by role and by model. Settled calls; what is open or lost is told below. */
export function Economics({ ledger }: { readonly ledger: Ledger }): ReactNode {
  const { total, byRole, byModel, booked, open, lost } = ledger;
  if (total.calls === 0 && open.size === 0 && lost.length === 0) return null;
  const roles = [...byRole].map(([role, spend]) => [roleLabel(role), spend] as const);
  const more = booked.usd - total.usd;
  return (
    <Section title={l10n.t('Cost')}>
      <SpendTable
        label={l10n.t('Cost by role')}
        first={l10n.t('Role')}
        spends={[...roles, [l10n.t('together'), total]]}
      />
      <SpendTable label={l10n.t('Cost by model')} first={l10n.t('Model')} spends={[...byModel]} />
      {more > 0 && (
        <p className="hint">
          {l10n.t('Up to {0} more is booked for calls that are open or were lost.', dollarText(more))}
        </p>
      )}
    </Section>
  );
}
