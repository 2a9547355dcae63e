import type { ReactNode } from 'react';
import type { Evidence } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';
import { Economics } from './economics.tsx';
import { dollarText, durationText, numberText, tokensText } from './format.ts';
import { roleLabel } from './labels.ts';
import { ListSection, Output, Section } from './parts.tsx';
import { l10n } from './words.ts';

function capsText({ caps }: RunState): string {
  if (!caps) return '';
  const { usd, tokens, minutes, tasks, depth, concurrency } = caps;
  return [
    usd === undefined ? undefined : dollarText(usd),
    tokens === undefined ? undefined : l10n.t('{0} tokens', tokensText(tokens)),
    minutes === undefined ? undefined : l10n.t('{0} min', numberText(minutes)),
    l10n.t('{0} tasks', numberText(tasks)),
    l10n.t('depth {0}', numberText(depth)),
    l10n.t('{0} agents at once', numberText(concurrency)),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

function Verification({ evidence }: { readonly evidence: Evidence }): ReactNode {
  const { command, exitCode, milliseconds, tail, ended } = evidence;
  const how =
    ended === 'exit'
      ? l10n.t('ended with {0} after {1}', String(exitCode), durationText(milliseconds))
      : l10n.t('did not end by itself: {0}', ended);
  return (
    <Section title={l10n.t('Last verification')}>
      <p>
        <code>{command}</code> {how}
      </p>
      {tail !== '' && exitCode !== 0 && <Output label={l10n.t('Last lines of its output')}>{tail}</Output>}
    </Section>
  );
}

/** The run as a whole: what it works on, with what, and what it costs. */
export function RunTab({ state }: { readonly state: RunState }): ReactNode {
  const { options, reasons, braked, counts, ledger, lastVerification, workedMilliseconds } = state;
  if (!options) return null;
  const { specPath, verify, models } = options;
  return (
    <>
      <ListSection
        title={l10n.t('Why it is not complete')}
        items={braked === undefined ? reasons : [braked]}
      />
      <Section title={l10n.t('Run')}>
        <dl className="details">
          <dt>{l10n.t('Specification')}</dt>
          <dd>{specPath}</dd>
          <dt>{l10n.t('Verify command')}</dt>
          <dd>
            {verify === undefined ? l10n.t('none: nothing can be called green') : <code>{verify}</code>}
          </dd>
          <dt>{l10n.t('Models')}</dt>
          <dd>
            {(['planner', 'worker', 'resolver'] as const)
              .map((role) => `${roleLabel(role)}: ${models[role]}`)
              .join(', ')}
          </dd>
          <dt>{l10n.t('Limits')}</dt>
          <dd>{capsText(state)}</dd>
          <dt>{l10n.t('Tasks')}</dt>
          <dd>
            {l10n.t(
              counts.planners === 1
                ? '{0}, of them {1} planner; {2} of {3} workers done'
                : '{0}, of them {1} planners; {2} of {3} workers done',
              numberText(counts.tasks),
              numberText(counts.planners),
              numberText(counts.workersDone),
              numberText(counts.workers),
            )}
          </dd>
          <dt>{l10n.t('Worked for')}</dt>
          <dd>{durationText(workedMilliseconds)}</dd>
        </dl>
      </Section>
      <Economics ledger={ledger} />
      {lastVerification && <Verification evidence={lastVerification} />}
    </>
  );
}
