import type { RunEvent } from '#protocol/events.ts';
import type { TaskNode } from '#protocol/projection-tasks.ts';
import type { RunState } from '#protocol/projection.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { readJournal } from '#journal/sqlite-journal.ts';
import { inspectRun } from '#swarm/run-access.ts';
import { CliError } from './errors.ts';
import { eventLine, outputLines } from './event-lines.ts';
import type { Host } from './host.ts';
import type { LogCommand } from './options.ts';
import type { Output } from './output.ts';
import { findStore } from './state-folder.ts';
import { oneLine, safeLines } from './text.ts';

/** `log`: what happened, or what the agents of one task said and did. */
export async function log(host: Host, output: Output, command: LogCommand): Promise<number> {
  const store = await findStore(host, command);
  const { projection, events } = await inspectRun(store, host.edges);
  if (command.transcript !== undefined) {
    await writeTranscripts(output, store, agentsOf(command.transcript, projection, events), command.json);
    return 0;
  }
  for (const event of events) writeEvent(output, event, command);
  return 0;
}

function writeEvent(output: Output, event: RunEvent, command: LogCommand): void {
  const { always, label, text } = eventLine(event);
  if (!always && !command.events) return;
  if (command.json) {
    output.json(event);
    return;
  }
  output.line(`${new Date(event.time).toISOString()}  ${label.padEnd(9)}  ${text}`.trimEnd());
  for (const line of outputLines(event)) output.line(`    ${line}`.trimEnd());
}

/**
 * The agents whose transcripts are meant: those of the task, attempt by attempt, with the resolvers that worked for it.
 * An agent's own key (`root/lexer@2`) is one of them. The end of a path will do when no other has it.
 * @throws CliError `no-such-task`
 */
function agentsOf(given: string, state: RunState, events: readonly RunEvent[]): readonly string[] {
  const [, own, attempt] = /^(.+)@(\d+)$/u.exec(given) ?? [];
  const node = findTask(own ?? given, state);
  const task = node.path;
  if (attempt !== undefined) return [`${task}@${attempt}`];
  const agents = Array.from({ length: node.attempt }, (_, index) => `${task}@${index + 1}`);
  const resolvers = new Set<string>();
  for (const event of events) {
    // A resolver's transcript is named like its calls, without the turn.
    if (event.type !== 'call.reserved' || event.role !== 'resolver' || event.account !== task) continue;
    resolvers.add(event.key.slice(0, event.key.lastIndexOf(' ')));
  }
  return [...agents, ...resolvers];
}

/** @throws CliError `no-such-task` */
function findTask(name: string, state: RunState): TaskNode {
  const node = state.tasks.get(name);
  if (node !== undefined) return node;
  const matches = [...state.tasks.values()].filter(({ path }) => path.endsWith(`/${name}`));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const paths = matches.map(({ path }) => path).join(', ');
  throw new CliError('no-such-task', `no task ${name}`, {
    task: name,
    ...(paths === '' ? {} : { matches: paths }),
  });
}

async function writeTranscripts(
  output: Output,
  store: string,
  agents: readonly string[],
  json: boolean,
): Promise<void> {
  const reader = await readJournal(store);
  try {
    const transcripts = await Promise.all(agents.map(async (agent) => reader.transcript(agent)));
    for (const [place, items] of transcripts.entries()) {
      const agent = agents[place] ?? '';
      if (!json) output.line(`=== ${oneLine(agent)}`);
      for (const [index, item] of items.entries()) {
        if (json) output.json({ agent, index, item });
        else for (const line of itemLines(item)) output.line(line);
      }
    }
  } finally {
    await reader.close();
  }
}

function itemLines(item: TranscriptItem): string[] {
  switch (item.kind) {
    case 'system':
    case 'user':
      return [`--- ${item.kind}`, ...safeLines(item.text)];
    case 'assistant':
      return [
        `--- assistant, turn ${item.turn}`,
        ...(item.text === '' ? [] : safeLines(item.text)),
        ...item.toolCalls.map((call) => `> ${oneLine(call.name)} ${safeLines(call.args).join('\n')}`),
      ];
    case 'tool':
      return [
        `--- ${oneLine(item.name)}${item.rerun === true ? ', run again' : ''}`,
        ...safeLines(item.text),
      ];
    default:
      item satisfies never;
      return [];
  }
}
