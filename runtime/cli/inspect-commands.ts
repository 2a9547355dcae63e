import { storeOwner } from '#journal/store-lock.ts';
import { inspectRun } from '#swarm/run-access.ts';
import type { RunEvent } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';
import { taskStates } from '#protocol/tasks.ts';
import { resultStatus } from '#protocol/run-outcome.ts';
import { type ConflictRecord, conflictHistory } from './conflict-history.ts';
import { conflictText } from './event-lines.ts';
import type { Host } from './host.ts';
import { landingCounts, waitingFiles } from './landing-report.ts';
import type { InspectCommand } from './options.ts';
import { hasColour, type Output } from './output.ts';
import { runNumbers } from './run-result.ts';
import { findStore } from './state-folder.ts';
import { renderScreen } from './terminal-view.ts';
import { counted, oneLine, shellQuote, shortHash } from './text.ts';
import { waitingReason } from './waiting-reason.ts';

interface Standing {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly store: string;
  /** A process works on it now. */
  readonly active: boolean;
}

/** `status`: where a run stands. */
export async function status(host: Host, output: Output, command: InspectCommand): Promise<number> {
  const store = await findStore(host, command);
  const { fileSystem } = host.edges;
  const { projection: state, events } = await inspectRun(store, host.edges);
  const active = (await storeOwner(store, fileSystem)) !== undefined;
  const standing = { state, events, store, active };
  if (command.json) output.json(statusJson(standing));
  else for (const line of statusLines(host, output, standing)) output.line(line);
  return 0;
}

function lastGreen(events: readonly RunEvent[]): number | undefined {
  return events.findLast((event) => event.type === 'verify.passed')?.time;
}

function statusLines(host: Host, output: Output, standing: Standing): string[] {
  const { state, events, store, active } = standing;
  const cutOff = state.status === 'running' && !active;
  const size = {
    columns: output.people.columns ?? 120,
    rows: state.tasks.size + 20,
    colour: hasColour(output.people, host.environment),
  };
  const times = {
    now: host.edges.clock.now(),
    lastEvent: active ? events.at(-1)?.time : undefined,
    green: lastGreen(events),
    cutOff,
  };
  const reasons = state.reasons.map((reason) => `  - ${oneLine(reason)}`);
  return [
    ...renderScreen(state, size, times),
    '',
    `store     ${store}`,
    `workspace ${oneLine(state.options?.workspace ?? '')}`,
    `landed    ${landedFiles(state)}`,
    ...(reasons.length === 0 ? [] : ['reasons', ...reasons]),
    ...(cutOff || state.status === 'interrupted'
      ? [`Go on with: ${host.invocation} resume --store ${shellQuote(store)}`]
      : []),
  ];
}

/** What of the newest landing is in place: put there by this landing or one before. */
function inPlace(state: RunState): { readonly landed: number; readonly kept: readonly string[] } {
  const { changed, unchanged, kept } = landingCounts(state.landing?.files.values() ?? []);
  return { landed: changed + unchanged, kept };
}

function landedFiles(state: RunState): string {
  const { landed, kept } = inPlace(state);
  const waiting = waitingFiles(state.landing?.files.values()).length;
  const own =
    kept.length === 0 ? '' : `, ${kept.length} kept as you changed ${kept.length === 1 ? 'it' : 'them'}`;
  return `${counted(landed, 'file')}${own}${waiting === 0 ? '' : `, ${waiting} waiting`}`;
}

function statusJson({ state, events, store, active }: Standing): Record<string, unknown> {
  const { green, head, options } = state;
  const runStatus = state.status === 'empty' ? 'running' : state.status;
  return {
    status: runStatus === 'running' ? 'running' : resultStatus(runStatus, state),
    active,
    title: options?.specTitle,
    workspace: options?.workspace,
    store,
    models: options?.models,
    ...runNumbers(state),
    states: Object.fromEntries(taskStates.map((name) => [name, state.tasksIn(name).size])),
    open_conflicts: state.counts.conflicts.open,
    tokens: state.ledger.booked.tokens,
    unpriced_calls: state.ledger.booked.unpricedCalls,
    head: head ?? null,
    green:
      green === undefined
        ? null
        : { snapshot: green.snapshot, sequence: green.sequence ?? null, time: lastGreen(events) ?? null },
    landed_files: inPlace(state).landed,
    kept_files: inPlace(state).kept,
    waiting_files: waitingFiles(state.landing?.files.values()).map((file) => ({
      path: file.path,
      reason: waitingReason(file),
    })),
    braked: state.braked ?? null,
    reasons: state.reasons,
  };
}

/** `conflicts`: what could not be merged, and how it was settled. */
export async function conflicts(host: Host, output: Output, command: InspectCommand): Promise<number> {
  const store = await findStore(host, command);
  const { events } = await inspectRun(store, host.edges);
  const records = conflictHistory(events);
  if (command.json) {
    output.json({ store, conflicts: records });
    return 0;
  }
  if (records.length === 0) output.line('There were no conflicts.');
  for (const [index, record] of records.entries()) {
    for (const line of conflictLines(record, index + 1)) output.line(line);
  }
  return 0;
}

function conflictLines(record: ConflictRecord, number: number): string[] {
  const rounds = record.round > 1 ? `, ${record.round} rounds` : '';
  return [
    `${number}. ${record.task} (${endText(record)}${rounds})`,
    ...record.conflicts.map((conflict) => `   ${conflictText(conflict)}`),
    ...detailLines(record),
  ];
}

function endText({ end }: ConflictRecord): string {
  return end.kind === 'resolved' ? `resolved by the ${end.by}` : end.kind;
}

function detailLines({ end }: ConflictRecord): string[] {
  switch (end.kind) {
    case 'open':
      return [];
    case 'resolved':
      return [`   ${shortHash(end.commit)} ${oneLine(end.title)}`];
    case 'dropped':
      return [`   ${oneLine(end.reason)}`];
    default:
      end satisfies never;
      return [];
  }
}
