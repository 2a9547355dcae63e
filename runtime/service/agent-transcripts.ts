import type { RunState } from '#protocol/projection.ts';
import type { TranscriptPage } from '#protocol/runtime-api.ts';
import { isTerminal, type TaskPath } from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { findStore } from '#journal/run-store.ts';
import { readJournal } from '#journal/sqlite-journal.ts';
import type { Edges } from '#swarm/edges.ts';
import { inspectRun } from '#swarm/run-access.ts';
import type { ShownRun } from './shown-run.ts';

/** Of a run that is shown. */
export async function shownTranscript(shown: ShownRun, agent: string, from: number): Promise<TranscriptPage> {
  const { mode, run } = shown.access;
  const items = await run.transcript(agent);
  return pageOf(items, from, run.projection, mode !== 'open' && isAtWork(run.projection, agent));
}

/** Of a run that nobody shows: its store is only read. @throws JournalError `no-store`, `io`, `damaged` */
export async function storedTranscript(
  store: string,
  agent: string,
  from: number,
  edges: Pick<Edges, 'fileSystem'>,
): Promise<TranscriptPage> {
  const { folder } = await findStore(store, edges.fileSystem);
  const { projection } = await inspectRun(folder, edges);
  const reader = await readJournal(folder);
  try {
    return pageOf(await reader.transcript(agent), from, projection, false);
  } finally {
    await reader.close();
  }
}

/** The agents that have worked on a task and have a transcript, in the order of their first calls. */
export function agentsOf({ ledger }: RunState, task: TaskPath): readonly string[] {
  const calls = [...ledger.settled.values(), ...ledger.lost, ...ledger.open.values()];
  return [...new Set(calls.filter(({ account }) => account === task).map(({ key }) => agentOf(key)))];
}

/** `worker root/a 1 3` is a turn of `root/a@1`; a resolver's agent is its key without the turn. */
function agentOf(callKey: string): string {
  const [, task, attempt] = /^(?:planner|worker) (\S+) (\d+) \d+$/u.exec(callKey) ?? [];
  return task === undefined ? callKey.slice(0, callKey.lastIndexOf(' ')) : `${task}@${attempt}`;
}

function isAtWork(state: RunState, agent: string): boolean {
  const [, task = '', attempt] = /^(\S+)@(\d+)$/u.exec(agent) ?? [];
  const node = state.tasks.get(task);
  // A resolver's name is no task: whether it works is seen by what it says next.
  if (!node) return state.status === 'running' && state.parked.size > 0;
  return node.attempt === Number(attempt) && !isTerminal(node.state);
}

function pageOf(
  items: readonly TranscriptItem[],
  from: number,
  { ledger }: RunState,
  isLive: boolean,
): TranscriptPage {
  const page = items.slice(from);
  const costs = page.flatMap((item) => {
    const call = item.kind === 'assistant' ? ledger.settled.get(item.callKey) : undefined;
    return call ? [[call.key, call.usd] as const] : [];
  });
  return { items: page, costs, isLive };
}
