import type { LandedFile, RunStatus } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';
import { hasOpenTasks, resultStatus } from '#protocol/run-outcome.ts';
import { counted, duration, oneLine, shellQuote, spent, tokenCount } from './text.ts';
import { interruptedCode } from './interrupts.ts';
import { verification } from './event-lines.ts';
import { playbookNotice } from './terminal-view.ts';
import {
  keptLines,
  landedText,
  landingCounts,
  replacedLines,
  waitingFiles,
  waitingLines,
} from './landing-report.ts';

/** What a session of a run came to. */
export interface RunOutcome {
  readonly status: RunStatus;
  /** Present when something ended the session early. */
  readonly error?: unknown;
  readonly state: RunState;
  readonly store: string;
  /** False when it was told not to land. */
  readonly wantsLanding: boolean;
  /** True when this session, or one before, has landed what there is. */
  readonly landed: boolean;
  /** What the landing of this session did. */
  readonly files: readonly LandedFile[];
  /** Where the files that the landing has replaced are kept as they were. */
  readonly replaced?: string;
}

/** 0 complete and landed as far as it was asked to; 130 interrupted; else 1. */
export function exitCode(outcome: RunOutcome): number {
  if (outcome.status === 'interrupted') return interruptedCode;
  const status = resultStatus(outcome.status, outcome.state);
  if (outcome.error !== undefined || (status !== 'green' && status !== 'unverified')) return 1;
  if (!outcome.wantsLanding) return 0;
  return outcome.landed && waitingFiles(outcome.state.landing?.files.values()).length === 0 ? 0 : 1;
}

/** The counts that `demo --json` and `build --json` share, under the names of the issue. */
export interface RunNumbers {
  readonly tasks: number;
  readonly planners: number;
  readonly workers: number;
  readonly workers_peak: number;
  readonly depth: number;
  readonly commits: number;
  readonly merges: number;
  readonly conflicts: { readonly raised: number; readonly resolved: number };
  /** The known part: calls of unknown price are counted apart. */
  readonly spend_usd: number;
  readonly seconds: number;
}

/** Of a run that could not be started. */
export const noNumbers: RunNumbers = {
  tasks: 0,
  planners: 0,
  workers: 0,
  workers_peak: 0,
  depth: 0,
  commits: 0,
  merges: 0,
  conflicts: { raised: 0, resolved: 0 },
  spend_usd: 0,
  seconds: 0,
};

export function runNumbers(state: RunState): RunNumbers {
  const { tasks, planners, workersDone, workersPeak, depth, commits, merges, conflicts } = state.counts;
  return {
    tasks,
    planners,
    workers: workersDone,
    workers_peak: workersPeak,
    depth,
    commits,
    merges,
    conflicts: { raised: conflicts.raised, resolved: conflicts.resolved },
    spend_usd: rounded(state.ledger.booked.usd, 6),
    seconds: rounded(state.workedMilliseconds / 1000, 3),
  };
}

/** Sums of binary fractions end in digits that nobody wrote. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The last line of `build --json` and `resume --json`. */
export function resultJson(outcome: RunOutcome, error: string | undefined): Record<string, unknown> {
  const { state, store } = outcome;
  const { changed, kept } = landingCounts(outcome.files);
  return {
    status: resultStatus(outcome.status, state),
    ...runNumbers(state),
    landed_files: changed,
    kept_files: kept,
    waiting_files: waitingFiles(state.landing?.files.values()).map(({ path, reason }) => ({ path, reason })),
    reasons: state.reasons,
    tokens: state.ledger.booked.tokens,
    unpriced_calls: state.ledger.booked.unpricedCalls,
    store,
    ...(error === undefined ? {} : { error }),
  };
}

/** What a run came to, for people; the last lines say what to do next. */
export function summaryLines(outcome: RunOutcome, invocation: string): string[] {
  const { state } = outcome;
  const store = `--store ${shellQuote(outcome.store)}`;
  const notice = playbookNotice(state.options?.models);
  const waiting = waitingFiles(state.landing?.files.values());
  return [
    headline(outcome),
    ...reasonLines(outcome),
    ...keptLines(landingCounts(outcome.files).kept),
    ...replacedLines(outcome.replaced),
    ...waitingLines(waiting, `${invocation} land ${store}`),
    ...numberLines(state),
    ...(notice === undefined ? [] : [`${notice}.`]),
    ...nextLines(outcome, invocation, store),
  ];
}

function headline(outcome: RunOutcome): string {
  const { state } = outcome;
  const landed = landingText(outcome);
  const status = resultStatus(outcome.status, state);
  switch (status) {
    case 'green': {
      const proof = state.green === undefined ? '' : ` (${verification(state.green.evidence)})`;
      return `Complete: trunk is green${proof}; ${landed}.`;
    }
    case 'unverified':
      return `Complete but unverified, as there is no verify command; ${landed}.`;
    case 'partial':
      return `Partial: ${landed}.`;
    case 'failed':
      return `Failed: ${landed}.`;
    case 'interrupted':
      return 'Interrupted: what was done is kept.';
    default:
      status satisfies never;
      return '';
  }
}

function landingText({ state, wantsLanding, landed, files }: RunOutcome): string {
  if (!landed) return wantsLanding ? 'nothing was landed' : 'nothing was landed, as told';
  const where = oneLine(state.options?.workspace ?? 'the workspace');
  if (files.length === 0) return `it has landed in ${where} before`;
  return landedText(landingCounts(files), ` in ${where}`);
}

/** What keeps a partial run from being complete, and what to do, in one line; undefined for every other run. */
export function shortfall(outcome: RunOutcome, invocation: string): string | undefined {
  const { state, status } = outcome;
  if (resultStatus(status, state) !== 'partial') return undefined;
  const store = `--store ${shellQuote(outcome.store)}`;
  const { braked, lastVerification, green, head } = state;
  if (braked !== undefined) {
    const option = capOptions.find(([word]) => braked.includes(word))?.[1] ?? 'the option of the cap';
    return oneLine(`${braked}: go on with \`${invocation} resume ${store}\` and a higher ${option}.`);
  }
  if (lastVerification !== undefined && green?.snapshot !== head?.snapshot) {
    const landed = outcome.landed ? '' : ', so nothing was landed';
    return `trunk does not verify (${verification(lastVerification)})${landed}: read its output with \`${invocation} log ${store}\`, then correct the specification and build anew, or try again with \`resume\`, which takes another --verify.`;
  }
  return oneLine(
    `the run is not complete (${state.reasons[0] ?? 'unknown why'}): see \`${invocation} status ${store}\`.`,
  );
}

const capOptions = [
  ['usd', '--budget-usd'],
  ['tokens', '--max-tokens'],
  ['minutes', '--max-minutes'],
] as const;

const shownLines = 10;

function reasonLines({ state, status }: RunOutcome): string[] {
  if (status === 'interrupted') return [];
  const shown = state.reasons.slice(0, shownLines).map((reason) => `  - ${oneLine(reason)}`);
  const more = state.reasons.length - shown.length;
  return more > 0 ? [...shown, `  … ${more} more; \`status\` shows all`] : shown;
}

function numberLines(state: RunState): string[] {
  const { tasks, planners, workers, workersPeak, commits, merges, conflicts } = state.counts;
  const { booked } = state.ledger;
  const people = `${counted(planners, 'planner')}, ${counted(workers, 'worker')}, at most ${workersPeak} working at once`;
  const raised =
    conflicts.raised === 0
      ? 'no conflicts'
      : `${counted(conflicts.raised, 'conflict')}, ${conflicts.resolved} resolved`;
  return [
    `${counted(tasks, 'task')} (${people}); ${counted(commits, 'commit')}, ${counted(merges, 'merge')}, ${raised}.`,
    `${spent(booked)} and ${tokenCount(booked.tokens)} tokens in ${duration(state.workedMilliseconds)}.`,
  ];
}

function nextLines(outcome: RunOutcome, invocation: string, store: string): string[] {
  const { state, landed } = outcome;
  const status = resultStatus(outcome.status, state);
  const land = `${invocation} land ${store}`;
  if (status === 'green' || status === 'unverified') return landed ? [] : [`Land it with: ${land}`];
  if (state.braked !== undefined) {
    return [
      `Go on, with more than that, with: ${invocation} resume ${store} (\`resume --help\` shows its caps)`,
    ];
  }
  if (status !== 'partial' || hasOpenTasks(state)) {
    return [`Go on with: ${invocation} resume ${store}`];
  }
  const lines = [`See what happened with: ${invocation} log ${store}`];
  if (state.green === undefined || landed) return lines;
  const behind = (state.head?.sequence ?? 0) - (state.green.sequence ?? 0);
  return [
    ...lines,
    `An earlier state was green, ${counted(behind, 'commit')} before the head. Land it with: ${land}`,
  ];
}
