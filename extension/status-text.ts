import type { RunState } from '#protocol/projection.ts';
import type { RunOutcome } from '#protocol/runtime-api.ts';
import { dollarText, spendText } from './spend-text.ts';
import type { Words } from './messages/message.ts';

/** The state of the shown run, as commands and the status bar tell it apart; the context key `swarmwright.runState`. */
export type RunPhase = 'running' | 'paused' | 'ended' | 'following';

/** What is read of a view. */
export interface ShownState {
  readonly state: RunState;
  readonly mode: 'driving' | 'open' | 'following';
  readonly outcome: RunOutcome | undefined;
}

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: 'normal' | 'warning' | 'error';
}

export function phaseOf({ state, mode }: Pick<ShownState, 'state' | 'mode'>): RunPhase {
  if (mode === 'following') return 'following';
  if (mode === 'open') return 'ended';
  return state.paused ? 'paused' : 'running';
}

/** Whether the run can be gone on with: it was stopped, cut off, has failed, or has something left to do. */
export function isResumable({ state, mode }: Pick<ShownState, 'state' | 'mode'>): boolean {
  return mode === 'open' && state.status !== 'complete' && state.status !== 'empty';
}

/** The status bar's item for a run. */
export function statusText(shown: ShownState, locale: string, words: Words): StatusText {
  const { state } = shown;
  const spend = spendOf(state, locale, words);
  const [icon, phrase, severity] = headline(shown, words);
  const text = [`$(${icon})`, spend === '' ? phrase : `${phrase}, ${spend}`].join(' ');
  const reasons = [
    ...(state.braked === undefined ? [] : [state.braked]),
    ...state.reasons.filter((reason) => reason !== state.braked),
  ].slice(0, 3);
  const closing =
    phaseOf(shown) === 'running' || phaseOf(shown) === 'paused'
      ? words.t('Closing the window stops the run. It can be resumed.')
      : undefined;
  const lines = [
    words.t('Swarmwright: {0}', state.options?.specTitle ?? ''),
    ...reasons,
    ...(closing === undefined ? [] : [closing]),
    words.t('Select to open the dashboard.'),
  ];
  return { text, tooltip: lines.join('\n'), severity };
}

/** Settled calls against the budget: `$1.20 of $5.00`. Empty when nothing was called. */
function spendOf(state: RunState, locale: string, words: Words): string {
  const spent = spendText(state.ledger.total, locale, (tokens) => words.t('{0} tokens', tokens));
  const budget = state.caps?.usd;
  return budget === undefined || spent === ''
    ? spent
    : words.t('{0} of {1}', spent, dollarText(budget, locale));
}

function headline(shown: ShownState, words: Words): readonly [string, string, StatusText['severity']] {
  const { state, outcome } = shown;
  switch (phaseOf(shown)) {
    case 'following':
      if (state.status !== 'running') return ended(state, words);
      return ['eye', words.t('Build in another window'), 'normal'];
    case 'paused':
      return ['debug-pause', words.t('Build paused'), 'warning'];
    case 'running': {
      const agents = state.tasksIn('running').size;
      return [
        'sync~spin',
        agents === 1 ? words.t('1 agent') : words.t('{0} agents', agents),
        state.braked === undefined ? 'normal' : 'warning',
      ];
    }
    case 'ended':
      return outcome?.kind === 'failed' ? ['error', words.t('Build failed'), 'error'] : ended(state, words);
    default:
      return ['circuit-board', '', 'normal'];
  }
}

function ended(state: RunState, words: Words): readonly [string, string, StatusText['severity']] {
  switch (state.status) {
    case 'complete':
      return ['check', words.t('Build complete'), 'normal'];
    case 'partial':
      return ['warning', words.t('Build incomplete'), 'warning'];
    case 'failed':
      return ['error', words.t('Build failed'), 'error'];
    case 'interrupted':
      return ['debug-stop', words.t('Build stopped'), 'normal'];
    case 'running':
      return ['debug-disconnect', words.t('Build was cut off'), 'warning'];
    case 'empty':
      return ['circuit-board', words.t('No build'), 'normal'];
    default:
      state.status satisfies never;
      return ['circuit-board', '', 'normal'];
  }
}
