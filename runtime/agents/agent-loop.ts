import type { RunEventBody } from '#protocol/events.ts';
import type { ChatMessage, ToolCall } from '#protocol/models.ts';
import type { FailureMode, TaskPath } from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { ChatRequest } from '#models/chat-model.ts';
import { ModelError } from '#models/errors.ts';
import { endedBy, nudgeFor, type LoopLimits } from './loop-guard.ts';
import type { AssistantTurn, ModelCaller } from './model-caller.ts';
import { runToolCall, type Tool } from './tools/tool.ts';
import { viewStepBetween, type ViewState } from './view-steps.ts';

/** Where an agent's transcript is kept. `store` is durable when it resolves, all of it or nothing. */
interface TranscriptStore {
  readonly items: readonly TranscriptItem[];
  store(items: readonly TranscriptItem[], events: readonly RunEventBody[]): Promise<void>;
}

/** Which tool call is being run: the submit id of what it submits is made of it. `call` counts from 0. */
export interface CallPlace {
  readonly turn: number;
  readonly call: number;
  /** True when a crash took the call's result away, and it is run again. */
  readonly rerun: boolean;
}

/** One agent: what it is told, what it can do, and how the swarm listens. */
export interface AgentSetup<Context> {
  readonly account: TaskPath;
  callKey(turn: number): string;
  /** What the agent is told first. Asked once in its life; then the transcript has it. */
  opening(): Promise<{ readonly system: string; readonly user: string }>;
  readonly tools: readonly Tool<Context>[];
  readonly context: Context;
  readonly limits: LoopLimits;
  readonly transcript: TranscriptStore;
  readonly model: ModelCaller;
  /** The state of its view, where it has one. */
  viewState(): ViewState | undefined;
  /** Called before each tool call is run. */
  atCall(place: CallPlace): void;
  /** Events that belong to the tool call that has just run: they are stored together with its result. */
  takeEvents(): readonly RunEventBody[];
  /** Called before each turn. Resolves when the agent may go on, with what it is to be told first. A planner sleeps here. */
  beforeTurn(
    signal: AbortSignal,
  ): Promise<{ readonly item: TranscriptItem; readonly events: readonly RunEventBody[] } | undefined>;
}

/** How an agent's work ended. `failed`: without a handoff of its own. */
export type AgentEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly mode: FailureMode; readonly details: string };

type AssistantItem = Extract<TranscriptItem, { kind: 'assistant' }>;

function toMessage(item: TranscriptItem): ChatMessage {
  switch (item.kind) {
    case 'system':
    case 'user':
      return { role: item.kind, text: item.text };
    case 'assistant':
      return { role: 'assistant', text: item.text, toolCalls: item.toolCalls };
    case 'tool':
      return { role: 'tool', callId: item.callId, text: item.text };
    default:
      return item satisfies never;
  }
}

/** The last turn and those of its calls that have no stored result yet. */
function openCalls(
  items: readonly TranscriptItem[],
):
  | { readonly turn: number; readonly calls: readonly { readonly call: ToolCall; readonly index: number }[] }
  | undefined {
  const at = items.findLastIndex((item) => item.kind === 'assistant');
  const last = items[at];
  if (last?.kind !== 'assistant') return undefined;
  const answered = items.length - at - 1;
  return { turn: last.turn, calls: last.toolCalls.map((call, index) => ({ call, index })).slice(answered) };
}

/**
 * Drives one agent until it ends, from wherever its transcript stands. Each step is stored before the next begins, so
 * that a killed run goes on from the last complete turn. @throws ModelError when no answer can be had, the signal's reason
 */
export async function runAgent<Context>(agent: AgentSetup<Context>, signal: AbortSignal): Promise<AgentEnd> {
  if (agent.transcript.items.length === 0) {
    const { system, user } = await agent.opening();
    await agent.transcript.store(
      [
        { kind: 'system', text: system },
        { kind: 'user', text: user },
      ],
      [],
    );
  }
  // Only the call that a crash interrupted can have run before; later ones of its turn have not begun.
  let resumed = true;
  for (;;) {
    signal.throwIfAborted();
    const ended = await runOpenCalls(agent, resumed, signal);
    resumed = false;
    if (ended) return { kind: 'ended' };
    const stopped = endedBy(agent.transcript.items, agent.limits);
    if (stopped) return { kind: 'failed', ...stopped };
    const told = await agent.beforeTurn(signal);
    if (told) await agent.transcript.store([told.item], told.events);
    const nudge = nudgeFor(agent.transcript.items);
    if (nudge) await agent.transcript.store([{ kind: 'user', text: nudge }], []);
    try {
      await takeTurn(agent, signal);
    } catch (error) {
      const mode = failureOf(error);
      if (mode === undefined) throw error;
      return { kind: 'failed', mode, details: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Failures that concern this agent alone. Others (no network, a refused key, a broken playbook) stop the run. */
function failureOf(error: unknown): FailureMode | undefined {
  if (ModelError.is(error, 'context-overflow')) return 'context-overflow';
  if (ModelError.is(error, 'refused')) return 'model-error';
  return undefined;
}

async function takeTurn<Context>(agent: AgentSetup<Context>, signal: AbortSignal): Promise<void> {
  const { items } = agent.transcript;
  const turn = items.filter((item): item is AssistantItem => item.kind === 'assistant').length + 1;
  const callKey = agent.callKey(turn);
  const request: ChatRequest = {
    messages: items.map(toMessage),
    tools: agent.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    maxOutputTokens: agent.limits.outputTokens,
    callKey,
    account: agent.account,
  };
  await agent.model.call(request, signal, async (answer: AssistantTurn, events) => {
    await agent.transcript.store([{ kind: 'assistant', turn, callKey, ...answer }], events);
  });
}

/** Runs what the last turn asked for and has no result yet. True when one of the calls ended the agent's work. */
async function runOpenCalls<Context>(
  agent: AgentSetup<Context>,
  resumed: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const last = agent.transcript.items.at(-1);
  if (last?.kind === 'tool' && last.ends === true) return true;
  const open = openCalls(agent.transcript.items);
  if (open === undefined) return false;
  let rerun = resumed;
  for (const { call, index } of open.calls) {
    const before = agent.viewState();
    agent.atCall({ turn: open.turn, call: index, rerun });
    const result = await runToolCall(agent.tools, call, agent.context, signal);
    const after = agent.viewState();
    const view = before && after ? viewStepBetween(before, after) : undefined;
    await agent.transcript.store(
      [
        {
          kind: 'tool',
          callId: call.id,
          name: call.name,
          text: result.text,
          ...(view ? { view } : {}),
          ...(rerun ? { rerun } : {}),
          ...(result.ends === true ? { ends: true } : {}),
        },
      ],
      agent.takeEvents(),
    );
    rerun = false;
    if (result.ends === true) return true;
  }
  return false;
}
