import type { Evidence, RunEvent } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';
import type { RunOutcome } from '#protocol/runtime-api.ts';
import { spendText } from '../spend-text.ts';

/** A line of the log. It has names and numbers; of what models and commands wrote it has nothing. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn';
  readonly text: string;
}

/** What begins with a session that this window drives. */
export function beginLine(how: 'resumed' | 'started', store: string, state: RunState): LogLine {
  const { specTitle = '', verify, playbook } = state.options ?? {};
  const facts = [
    ...Object.entries(state.options?.models ?? {}).map(([role, choice]) => `${role} ${choice}`),
    ...(playbook === undefined ? [] : [`playbook ${playbook}`]),
    ...(verify === undefined ? ['no verify command'] : []),
    `at most ${state.caps?.concurrency ?? 0} agents at once`,
    ...(state.caps?.usd === undefined ? [] : [`budget $${state.caps.usd}`]),
  ];
  return { level: 'info', text: `Build of "${specTitle}" ${how}: ${facts.join(', ')}; store ${store}` };
}

/** How the session that this window drove has ended; what failed has a line of its own, with the error. */
export function endLine(state: RunState, outcome: RunOutcome | undefined): LogLine {
  const { counts } = state;
  const status =
    outcome?.kind === 'failed' ? `failed, ${outcome.error.code}` : (outcome?.status ?? state.status);
  const spend = spendText(state.ledger.total, 'en', (tokens) => `${tokens} tokens`);
  const facts = [
    `${counts.tasks} tasks`,
    `${state.tasksIn('failed').size} failed`,
    `${counts.commits} commits`,
    `${counts.merges} merged`,
    `${state.ledger.total.calls} model calls`,
    ...(spend === '' ? [] : [spend]),
    `${Math.round(state.workedMilliseconds / 1000)} s`,
  ];
  return { level: 'info', text: `Build ended: ${status} (${facts.join(', ')})${reasonsText(state)}` };
}

/** What an event is in the log; undefined where there are too many of its kind, or another line tells it. */
export function eventLine(event: RunEvent): LogLine | undefined {
  return runLine(event) ?? taskLine(event);
}

function runLine(event: RunEvent): LogLine | undefined {
  if (event.type === 'run.paused') return info('Build paused');
  if (event.type === 'run.continued') return info('Build goes on');
  if (event.type === 'run.braked') return { level: 'warn', text: `No new work is begun: ${event.reason}` };
  if (event.type === 'verify.passed') return info(`Green: ${evidenceText(event.evidence)}`);
  if (event.type === 'verify.failed') return info(`Not green: ${evidenceText(event.evidence)}`);
  if (event.type !== 'landing.offered' && event.type !== 'landing.refreshed') return undefined;
  const step = event.type === 'landing.offered' ? 'offered' : 'refreshed';
  const proof = event.verified ? 'verified' : 'unverified';
  return info(`Landing ${event.landing} ${step}: snapshot ${event.green}, ${proof}`);
}

function taskLine(event: RunEvent): LogLine | undefined {
  if (event.type === 'task.created') return debug(`Task ${event.task}: created, ${event.spec.role}`);
  if (event.type === 'task.started') return debug(`Task ${event.task}: started`);
  if (event.type === 'task.parked') return debug(`Task ${event.task}: its change set conflicts`);
  if (event.type === 'task.retried') {
    return info(`Task ${event.task}: attempt ${event.attempt}, after ${event.mode}`);
  }
  if (event.type === 'task.ended') {
    const text = `Task ${event.task}: ${event.state}`;
    return event.state === 'failed' ? info(text) : debug(text);
  }
  if (event.type === 'call.lost') return debug(`Call ${event.key}: lost, ${event.reason}`);
  return event.type === 'call.released' ? debug(`Call ${event.key}: not made, ${event.reason}`) : undefined;
}

/** Without the output of the command. */
function evidenceText({ snapshot, exitCode, ended, milliseconds }: Evidence): string {
  const how = ended === 'exit' ? `exit code ${exitCode ?? 'unknown'}` : ended;
  return `snapshot ${snapshot}, ${how}, ${milliseconds} ms`;
}

/** Reasons hold what agents have handed over: that stays out. */
function reasonsText(state: RunState): string {
  const summaries = ['root', ...state.tasksIn('failed')].flatMap(
    (path) => state.tasks.get(path)?.handoff?.summary ?? [],
  );
  return state.reasons.map((reason) => `; ${without(reason, summaries)}`).join('');
}

function without(reason: string, summaries: readonly string[]): string {
  const found = summaries.filter((summary) => summary !== '' && reason.endsWith(`: ${summary}`));
  const longest = Math.max(0, ...found.map((summary) => summary.length + 2));
  return reason.slice(0, reason.length - longest);
}

function info(text: string): LogLine {
  return { level: 'info', text };
}
function debug(text: string): LogLine {
  return { level: 'debug', text };
}
