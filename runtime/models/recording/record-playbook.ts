import { stringify } from 'yaml';
import type { RunEvent } from '#protocol/events.ts';
import { parseFirstLine } from '#protocol/first-line.ts';
import type { ToolCall } from '#protocol/models.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { conversationOf, parseCallKey } from '../playbook/call-keys.ts';
import { PartFiles } from './part-files.ts';
import { recordedOrder, type RecordedOrder } from './recorded-order.ts';

/** A playbook that was made of a run, not yet written. */
export interface RecordedPlaybook {
  /** Of `playbook.yaml`. */
  readonly yaml: string;
  /** Files beside it: path -> content. */
  readonly files: ReadonlyMap<string, string>;
  readonly turns: number;
  readonly concurrency: number;
  /** What a run of it may do otherwise, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Tools whose results say what came of a change. What an agent only reads may be another text when it is played, and
 * nothing depends on it then: its turns are there already.
 */
const expected: ReadonlySet<string> = new Set([
  'edit_file',
  'write_file',
  'move_file',
  'delete_file',
  'submit',
  'finish',
  'record_decision',
  'plan',
  'drop_parked',
  'resolve',
]);
const redacted = '[redacted]';

interface WrittenCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly expect?: string;
}

interface WrittenTurn {
  readonly key: string;
  readonly text?: string;
  readonly after?: readonly string[];
  readonly calls?: readonly WrittenCall[];
}

/** The agent of an answered call, as transcripts are named: `root/lexer@1`, or a resolver's conversation. */
export function agentOfCall(callKey: string): string {
  const key = parseCallKey(callKey);
  return key?.kind === 'agent' ? `${key.task}@${key.attempt}` : conversationOf(callKey);
}

/** Names of the transcripts that the calls of a run are in. */
export function agentsIn(events: readonly RunEvent[]): readonly string[] {
  const keys = events.flatMap((event) => (event.type === 'call.settled' ? [event.key] : []));
  return [...new Set(keys.map(agentOfCall))];
}

/**
 * Makes a playbook of what a run's journal and transcripts hold. Pure.
 * @param transcripts by agent; those that are missing have no turns
 */
export function recordPlaybook(
  title: string,
  events: readonly RunEvent[],
  transcripts: ReadonlyMap<string, readonly TranscriptItem[]>,
): RecordedPlaybook {
  const order = recordedOrder(events, syncedBases(transcripts));
  const parts = new PartFiles();
  const notes = [...order.notes];
  const turns = [...transcripts].flatMap(([agent, items]) => {
    const isKept = attemptOf(agent, order) !== undefined;
    return isKept
      ? items.flatMap((item, index) => writtenTurn(item, items.slice(index + 1), { order, parts }))
      : [];
  });
  if (
    JSON.stringify(turns).includes(redacted) ||
    [...parts.files.values()].some((text) => text.includes(redacted))
  ) {
    notes.push(
      `Keys were taken out of what the run stores: where one was part of a file, the file will hold ${redacted}.`,
    );
  }
  const document = {
    title: title.replaceAll(/\s+/gu, ' ').trim() || 'A recorded run',
    concurrency: order.concurrency,
    price: null,
    turns,
  };
  return {
    yaml: header(notes) + stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }),
    files: parts.files,
    turns: turns.length,
    concurrency: order.concurrency,
    notes,
  };
}

function header(notes: readonly string[]): string {
  const lines = ['Recorded from a run.', ...notes.map((note) => `- ${note}`)];
  return `${lines.map((line) => `# ${line.replaceAll(/[\r\n]+/gu, ' ')}`).join('\n')}\n`;
}

function writtenTurn(
  item: TranscriptItem,
  rest: readonly TranscriptItem[],
  context: { readonly order: RecordedOrder; readonly parts: PartFiles },
): readonly WrittenTurn[] {
  if (item.kind !== 'assistant') return [];
  const { order } = context;
  const key = playedKey(item.callKey, order);
  if (key === undefined) return [];
  const after = order.after.get(item.callKey) ?? [];
  const calls = item.toolCalls.map((call, index) => {
    // Results follow their turn in the order of its calls.
    const result = rest[index];
    const text = result?.kind === 'tool' ? result.text : undefined;
    return writtenCall(item.callKey, call, text, context);
  });
  const isSilent = item.text === '' && calls.length > 0;
  return [
    {
      key,
      ...(isSilent ? {} : { text: item.text }),
      ...(after.length === 0 ? {} : { after }),
      ...(calls.length === 0 ? {} : { calls }),
    },
  ];
}

function writtenCall(
  callKey: string,
  call: ToolCall,
  result: string | undefined,
  { order, parts }: { readonly order: RecordedOrder; readonly parts: PartFiles },
): WrittenCall {
  const given = parseArguments(call.args);
  const args = call.name === 'plan' ? plannedArguments(callKey, given, order) : given;
  const [long, short] = [new Map<string, string>(), new Map<string, unknown>()];
  for (const [name, value] of Object.entries(args)) {
    const file = parts.add(agentOfCall(callKey), args, name, value);
    if (file === undefined) short.set(name, value);
    else long.set(name, file);
  }
  const expect = expectedLine(callKey, call.name, result?.split('\n', 1)[0] ?? '', order);
  return {
    tool: call.name.replaceAll(/\s+/gu, ' '),
    args: Object.fromEntries(short),
    ...(long.size === 0 ? {} : { files: Object.fromEntries(long) }),
    ...(expect === undefined ? {} : { expect }),
  };
}

function expectedLine(callKey: string, tool: string, line: string, order: RecordedOrder): string | undefined {
  const pairs = parseFirstLine(line);
  if (pairs === undefined || pairs.size === 0) return undefined;
  // Models call tools that nobody has. Which there are may change; that it comes to nothing may not.
  if (pairs.get('outcome') === 'invalid' && pairs.get('problem')?.startsWith(`no tool ${tool};`) === true)
    return 'outcome=invalid';
  return isExpected(callKey, tool, order) ? line : undefined;
}

function isExpected(callKey: string, tool: string, order: RecordedOrder): boolean {
  const key = parseCallKey(callKey);
  // What a command says depends on all that the agent sees; what its edits come to, only on the files that it changes.
  if (tool === 'run_command') return key?.kind === 'agent' && order.seesTheSame(key.task);
  return expected.has(tool);
}

/** A playbook's arguments are an object. What was none is refused when it is played, as it was then. */
function parseArguments(args: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Models write what they want.
  }
  return { written: args };
}

/** The plan with what the order of the run needs besides what its planner said. */
function plannedArguments(
  callKey: string,
  args: Readonly<Record<string, unknown>>,
  order: RecordedOrder,
): Readonly<Record<string, unknown>> {
  const key = parseCallKey(callKey);
  const { tasks } = args;
  if (key?.kind !== 'agent' || !Array.isArray(tasks)) return args;
  return {
    ...args,
    ...(order.wakeAtAll.has(callKey) ? { wake: 'all' } : {}),
    tasks: tasks.map((task: unknown) => withDependencies(task, key.task, order)),
  };
}

function withDependencies(task: unknown, planner: string, order: RecordedOrder): unknown {
  if (typeof task !== 'object' || task === null || !('name' in task)) return task;
  const added = order.dependencies.get(`${planner}/${String(task.name)}`) ?? [];
  if (added.length === 0) return task;
  const given: readonly unknown[] =
    'depends_on' in task && Array.isArray(task.depends_on) ? task.depends_on : [];
  return { ...task, depends_on: [...new Set([...given, ...added])] };
}

function playedKey(callKey: string, order: RecordedOrder): string | undefined {
  const key = parseCallKey(callKey);
  if (key?.kind !== 'agent') return callKey;
  const attempt = order.attempt(key.task, key.attempt);
  return attempt === undefined ? undefined : `${key.role} ${key.task} ${attempt} ${key.turn}`;
}

function attemptOf(agent: string, order: RecordedOrder): number | undefined {
  const [, task, attempt] = /^(\S+)@(\d+)$/u.exec(agent) ?? [];
  // A resolver has one conversation a meeting, and no attempts.
  return task === undefined ? 1 : order.attempt(task, Number(attempt));
}

/** Commits that agents moved to without a change of their own, by the turn that synced. */
function syncedBases(
  transcripts: ReadonlyMap<string, readonly TranscriptItem[]>,
): ReadonlyMap<string, readonly string[]> {
  const bases = new Map<string, string[]>();
  for (const items of transcripts.values()) {
    let turn: string | undefined;
    for (const item of items) {
      if (item.kind === 'assistant') turn = item.callKey;
      if (item.kind !== 'tool' || item.name !== 'sync' || item.view?.base === undefined) continue;
      if (turn !== undefined) bases.set(turn, [...(bases.get(turn) ?? []), item.view.base]);
    }
  }
  return bases;
}
