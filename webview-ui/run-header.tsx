import { useEffect, useState, type ReactNode } from 'react';
import type { RunAction } from '#protocol/dashboard-api.ts';
import { resultStatus } from '#protocol/run-outcome.ts';
import type { RunState } from '#protocol/projection.ts';
import { isDriven } from '#protocol/shown-state.ts';
import { dollarText, durationText, numberText, rateText, tokensText } from './format.ts';
import type { Shown } from './run-store.ts';
import { l10n } from './words.ts';

type ShownRun = Extract<Shown, { kind: 'run' }>;

interface Standing {
  readonly label: string;
  readonly icon: string;
  readonly tone: 'active' | 'good' | 'bad' | 'quiet';
}

/** How the run stands, in one or two words. */
function standingOf({ run, state }: ShownRun): Standing {
  const { status, paused, braked } = state;
  if (status === 'running' && run.mode === 'open')
    return { label: l10n.t('Cut off'), icon: 'debug-disconnect', tone: 'quiet' };
  if (status === 'empty' || status === 'running') {
    if (paused) return { label: l10n.t('Paused'), icon: 'debug-pause', tone: 'quiet' };
    if (braked !== undefined) return { label: l10n.t('Braked'), icon: 'warning', tone: 'bad' };
    return { label: l10n.t('Running'), icon: 'sync', tone: 'active' };
  }
  const result = resultStatus(status, state);
  switch (result) {
    case 'green':
      return { label: l10n.t('Green'), icon: 'pass', tone: 'good' };
    case 'unverified':
      return { label: l10n.t('Unverified'), icon: 'question', tone: 'quiet' };
    case 'partial':
      return { label: l10n.t('Partial'), icon: 'warning', tone: 'bad' };
    case 'failed':
      return { label: l10n.t('Failed'), icon: 'error', tone: 'bad' };
    case 'interrupted':
      return { label: l10n.t('Stopped'), icon: 'debug-stop', tone: 'quiet' };
    default:
      return result satisfies never;
  }
}

/** The time, a moment at a time, while it matters. */
function useNow(isWanted: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [isWanted]);
  return now;
}

function greenText({ green, head, options }: RunState, now: number): string {
  if (!green) return options?.verify === undefined ? l10n.t('no verify command') : l10n.t('not yet');
  const age = l10n.t('{0} ago', durationText(now - green.time));
  const behind = (head?.sequence ?? 0) - (green.sequence ?? head?.sequence ?? 0);
  return behind > 0 ? l10n.t('{0}, {1} behind trunk', age, numberText(behind)) : age;
}

function spendOf({ ledger, caps }: RunState): string {
  const { calls, usd, unpricedCalls, usage } = ledger.total;
  const isUnpriced = calls > 0 && unpricedCalls === calls;
  const spent = isUnpriced
    ? l10n.t('{0} tokens', tokensText(usage.inputTokens + usage.outputTokens))
    : `${dollarText(usd)}${unpricedCalls > 0 ? '+' : ''}`;
  if (caps?.usd !== undefined) return l10n.t('{0} of {1}', spent, dollarText(caps.usd));
  return caps?.tokens === undefined
    ? l10n.t('{0}, no cap', spent)
    : l10n.t('{0}, cap of {1} tokens', spent, tokensText(caps.tokens));
}

function commitsText({ state, pace }: ShownRun, now: number, isLive: boolean): string {
  const { commits } = state.counts;
  const worked = state.workedMilliseconds;
  const average = worked > 0 ? (commits * 1000) / worked : 0;
  const rate = (isLive ? pace.perSecond(now) : undefined) ?? average;
  return l10n.t('{0} ({1}/s)', numberText(commits), rateText(rate));
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly isWarning?: boolean;
}

function Fact({ name, children, isWarning = false }: FactProps): ReactNode {
  return (
    <div className={isWarning ? 'fact warning' : 'fact'}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ActionsProps {
  readonly shown: ShownRun;
  readonly onAct: (action: RunAction) => void;
  readonly onReview: () => void;
}

function Actions({ shown, onAct, onReview }: ActionsProps): ReactNode {
  const { run, state } = shown;
  if (run.mode === 'following') return <span className="hint">{l10n.t('Driven by another process')}</span>;
  const button = (action: RunAction, icon: string, label: string, isMain = false): ReactNode => (
    <vscode-button
      key={action}
      icon={icon}
      secondary={!isMain}
      onClick={() => {
        onAct(action);
      }}
    >
      {label}
    </vscode-button>
  );
  if (run.mode === 'driving')
    return [
      state.paused
        ? button('continue', 'debug-continue', l10n.t('Resume'), true)
        : button('pause', 'debug-pause', l10n.t('Pause')),
      button('stop', 'debug-stop', l10n.t('Stop')),
    ];
  const isWaiting = (state.review.landing?.undecided ?? 0) > 0;
  return [
    state.status !== 'complete' && button('resume', 'debug-restart', l10n.t('Resume'), !isWaiting),
    isWaiting && (
      <vscode-button key="review" icon="source-control" onClick={onReview}>
        {l10n.t('Review Landing')}
      </vscode-button>
    ),
  ];
}

/** What is known of the run at a glance, and what can be done with it. */
export function RunHeader({ shown, onAct, onReview }: ActionsProps): ReactNode {
  const { run, state } = shown;
  const standing = standingOf(shown);
  const isLive = isDriven(state, run.mode !== 'open');
  const now = useNow(isLive || state.green !== undefined);
  const { workersLive, workersPeak, conflicts } = state.counts;
  return (
    <header className="header">
      <div className="title">
        <h1>{state.options?.specTitle ?? l10n.t('Run')}</h1>
        <output className={`standing ${standing.tone}`}>
          <i className={`codicon codicon-${standing.icon}`} aria-hidden="true" />
          {standing.label}
        </output>
      </div>
      <dl className="facts">
        <Fact name={l10n.t('Green')}>{greenText(state, now)}</Fact>
        <Fact name={l10n.t('Agents')}>
          {l10n.t('{0} live, {1} at peak', numberText(isLive ? workersLive : 0), numberText(workersPeak))}
        </Fact>
        <Fact name={l10n.t('Commits')}>{commitsText(shown, now, isLive)}</Fact>
        <Fact name={l10n.t('Conflicts')} isWarning={conflicts.open > 0}>
          {l10n.t('{0} open', numberText(conflicts.open))}
        </Fact>
        <Fact name={l10n.t('Spend')}>{spendOf(state)}</Fact>
      </dl>
      <div className="actions">
        <Actions shown={shown} onAct={onAct} onReview={onReview} />
      </div>
    </header>
  );
}

/** What stands there before anything is known. */
export function EmptyHeader(): ReactNode {
  const names = [l10n.t('Green'), l10n.t('Agents'), l10n.t('Commits'), l10n.t('Conflicts'), l10n.t('Spend')];
  return (
    <header className="header">
      <div className="title">
        <h1>{l10n.t('Swarmwright')}</h1>
        <output className="standing">{l10n.t('Loading…')}</output>
      </div>
      <dl className="facts">
        {names.map((name) => (
          <Fact key={name} name={name}>
            –
          </Fact>
        ))}
      </dl>
    </header>
  );
}
