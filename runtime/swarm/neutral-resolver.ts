import type { ChangeSet, Conflict, FileEntry, ParkedId } from '#protocol/change-sets.ts';
import type { OpenParked } from '#protocol/projection-trunk.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { runAgent } from '#agents/agent-loop.ts';
import { resolverPrompt } from '#agents/prompts/resolver-prompt.ts';
import type { Prompt } from '#agents/prompts/briefs.ts';
import { SlotHold, type Slots } from '#agents/slots.ts';
import type { Resolution } from '#agents/tools/context.ts';
import { parseResolution } from '#agents/tools/resolve.ts';
import { resolverTools } from '#agents/tools/toolsets.ts';
import { VcsError } from '#vcs/errors.ts';
import type { LogRecord } from '#vcs/log-record.ts';
import type { ConflictAnswer } from '#vcs/resolution.ts';
import { bindingDecisions, formatReference } from './decision-register.ts';
import { limits, type SwarmEnvironment } from './environment.ts';
import {
  checkResolution,
  conflictHunks,
  renderHunk,
  type ConflictSides,
  type SideHunk,
} from './resolution-check.ts';

/** What came of one conflicted path. */
export type ResolverAnswer =
  | {
      readonly kind: 'settled';
      readonly key: string;
      readonly conflict: Conflict;
      readonly resolution: Resolution;
    }
  | { readonly kind: 'gave-up'; readonly key: string };

/** Both sides' tasks, sorted: neither comes first. */
function tasksOf(conflict: Conflict): readonly TaskPath[] {
  return [...new Set([...conflict.trunkTasks, conflict.task])].toSorted();
}

type ParkedRecord = Extract<LogRecord, { kind: 'parked' }>;

function parkedRecords(environment: SwarmEnvironment): readonly ParkedRecord[] {
  return environment.repository
    .records(0)
    .filter((record): record is ParkedRecord => record.kind === 'parked');
}

/** How often these tasks have met on this path, this time included: it makes the key of a conversation unique. */
function meeting(environment: SwarmEnvironment, parked: OpenParked, conflict: Conflict): number {
  const tasks = tasksOf(conflict).join('+');
  const records = parkedRecords(environment);
  const upTo = records.findIndex((record) => record.parked === parked.id);
  return records
    .slice(0, upTo + 1)
    .filter(({ conflicts }) =>
      conflicts.some((one) => one.path === conflict.path && tasksOf(one).join('+') === tasks),
    ).length;
}

function conversationKey(environment: SwarmEnvironment, parked: OpenParked, conflict: Conflict): string {
  return `resolver ${conflict.path} ${tasksOf(conflict).join('+')} ${meeting(environment, parked, conflict)}`;
}

async function readSides(environment: SwarmEnvironment, conflict: Conflict): Promise<ConflictSides> {
  const read = async (entry: FileEntry | undefined): Promise<Uint8Array | undefined> =>
    entry && environment.repository.blob(entry);
  const [base, trunk, ours] = await Promise.all([
    read(conflict.base),
    read(conflict.trunk),
    read(conflict.ours),
  ]);
  return { base, trunk, ours };
}

/** Settles one path of a parked set. The resolver belongs to neither side and holds none of the workers' slots. */
export async function driveResolver(
  environment: SwarmEnvironment,
  slots: Slots,
  parked: OpenParked,
  conflict: Conflict,
  signal: AbortSignal,
): Promise<ResolverAnswer> {
  const key = conversationKey(environment, parked, conflict);
  const sides = await readSides(environment, conflict);
  const hunks = conflictHunks(sides);
  // An answer is text: for two binary files, or two kinds of entry, there is none that keeps both sides.
  if (hunks === undefined || conflict.kind === 'type') return { kind: 'gave-up', key };
  const transcript = await environment.log.transcript(key);
  const hold = new SlotHold(slots);
  await hold.take(signal);
  const end = await runAgent(
    {
      account: parked.task,
      callKey: (turn) => `${key} ${turn}`,
      opening: async () => openingOf(environment, parked, conflict, sides, hunks),
      tools: resolverTools,
      context: {
        resolve: async (resolution) => {
          const problems = checkResolution(sides, hunks, resolution);
          return problems.length === 0 ? { kind: 'accepted' } : { kind: 'rejected', problems };
        },
      },
      limits: { turns: limits.resolverTurns, outputTokens: limits.outputTokens },
      transcript,
      model: environment.modelFor('resolver', hold),
      viewState: () => undefined,
      atCall: () => undefined,
      takeEvents: () => [],
      beforeTurn: async () => undefined,
    },
    signal,
  ).finally(() => {
    hold.give();
  });
  const resolution = end.kind === 'ended' ? acceptedAnswer(transcript.items) : undefined;
  return resolution === undefined ? { kind: 'gave-up', key } : { kind: 'settled', key, conflict, resolution };
}

/** The answer of the turn that ended the work. Call ids are the provider's, and some use the same ones in each turn. */
function acceptedAnswer(items: readonly TranscriptItem[]): Resolution | undefined {
  const end = items.findIndex((item) => item.kind === 'tool' && item.ends === true);
  const turn = items.slice(0, Math.max(end, 0)).findLastIndex((item) => item.kind === 'assistant');
  const assistant = items[turn];
  // Results follow their turn in the order of its calls.
  const call = assistant?.kind === 'assistant' ? assistant.toolCalls[end - turn - 1] : undefined;
  return call && parseResolution(call.args);
}

function decode(content: Uint8Array | undefined): string | undefined {
  return content && new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
}

function openingOf(
  environment: SwarmEnvironment,
  parked: OpenParked,
  conflict: Conflict,
  sides: ConflictSides,
  hunks: readonly SideHunk[],
): Prompt {
  const { projection } = environment.log;
  const [base, trunk, ours] = [decode(sides.base), decode(sides.trunk), decode(sides.ours)];
  const withGoal = (task: TaskPath): { readonly task: TaskPath; readonly goal: string } => ({
    task,
    goal: projection.tasks.get(task)?.spec.goal ?? '',
  });
  const decisions = new Map(
    tasksOf(conflict)
      .filter((task) => projection.tasks.has(task))
      .flatMap((task) => bindingDecisions(projection, task))
      .map((decision) => [formatReference(decision), decision]),
  );
  return resolverPrompt({
    path: conflict.path,
    kind: conflict.kind,
    ...(base === undefined ? {} : { base }),
    ...(trunk === undefined ? {} : { trunk }),
    ...(ours === undefined ? {} : { ours }),
    trunkTasks: conflict.trunkTasks.map(withGoal),
    ourTask: withGoal(conflict.task),
    decisions: [...decisions.values()],
    hunks: hunks.map((hunk) => ({ side: hunk.side, number: hunk.number, text: renderHunk(hunk) })),
    round: parked.round,
  });
}

const byteOrderMark = '\u{feff}';

/** The answer as the file has it: where both sides end their lines with CRLF or begin with a byte order mark, so does it. */
async function answerBytes(
  environment: SwarmEnvironment,
  conflict: Conflict,
  answer: string,
): Promise<Uint8Array> {
  const { trunk, ours } = await readSides(environment, conflict);
  const sides = [trunk, ours].flatMap((side) => (side === undefined ? [] : [decode(side) ?? '']));
  const all = (holds: (text: string) => boolean): boolean => sides.length > 0 && sides.every(holds);
  let text = answer;
  if (all((side) => side.includes('\r\n') && !/(^|[^\r])\n/.test(side)))
    text = text.replaceAll(/\r?\n/g, '\r\n');
  if (all((side) => side.startsWith(byteOrderMark)) && !text.startsWith(byteOrderMark)) {
    text = `${byteOrderMark}${text}`;
  }
  return new TextEncoder().encode(text);
}

/** Undefined when the set was settled meanwhile. */
async function settledSet(
  { repository }: SwarmEnvironment,
  parked: ParkedId,
  answers: ReadonlyMap<string, ConflictAnswer>,
): Promise<ChangeSet | undefined> {
  try {
    return await repository.resolution(parked, answers);
  } catch (error) {
    if (VcsError.is(error, 'not-parked')) return undefined;
    throw error;
  }
}

/** Offers the settled set to trunk like anything else. @returns false when it was refused for another reason than a conflict */
export async function submitResolution(
  environment: SwarmEnvironment,
  open: OpenParked,
  answers: readonly ResolverAnswer[],
): Promise<boolean> {
  const { repository, log, follower, options } = environment;
  const parked = repository.parked().find(({ id }) => id === open.id);
  const position = parkedRecords(environment).find((record) => record.parked === open.id)?.position;
  // It was settled meanwhile: a later submit of the same task has taken its place.
  if (parked === undefined || position === undefined) return true;
  const settled = new Map<string, ConflictAnswer>();
  for (const answer of answers) {
    if (answer.kind !== 'settled') continue;
    const { conflict, resolution } = answer;
    const content = await answerBytes(environment, conflict, resolution.content ?? '');
    settled.set(
      conflict.path,
      resolution.action === 'delete' ? { kind: 'delete' } : { kind: 'write', content },
    );
  }
  const changeSet = await settledSet(environment, open.id, settled);
  if (changeSet === undefined) return true;
  const node = log.projection.task(open.task);
  const outcome = await repository.submit({
    // Turn 0 is the harness's; the log position of the parking makes the call unique, and the same after a resume.
    id: { task: open.task, epoch: node.epoch, turn: 0, call: position },
    changeSet,
    scope: parked.request.scope,
    intent: { kind: 'resolution', parked: open.id },
    provenance: {
      ...parked.request.provenance,
      run: options.run,
      role: 'resolver',
      model: options.models.resolver,
      title: `settle ${[...settled.keys()].join(', ')}: ${parked.request.provenance.title}`,
    },
  });
  await follower.settled();
  return outcome.kind !== 'rejected';
}
