import type { FailureMode } from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';

export interface LoopLimits {
  /** Turns after which the agent is stopped. */
  readonly turns: number;
  /** Output tokens of one call. */
  readonly outputTokens: number;
}

/** Same calls with the same results: nudge after this many turns in a row, stop at twice as many. */
const repeatsBeforeNudge = 3;
/** Turns without a tool call, or cut at the output cap, in a row. */
const emptyTurnsBeforeStop = 3;

interface Turn {
  readonly cut: boolean;
  readonly calls: string;
}

/** Paging through a file has other arguments each time, waiting for a change has other results: neither is a repeat. */
function turnsOf(items: readonly TranscriptItem[]): Turn[] {
  const turns: { cut: boolean; calls: string }[] = [];
  for (const item of items) {
    if (item.kind === 'assistant') {
      turns.push({
        cut: item.stopReason === 'length',
        calls: item.toolCalls.map((call) => `${call.name} ${call.args}`).join('\n'),
      });
    }
    const last = turns.at(-1);
    if (item.kind === 'tool' && last) last.calls += `\n=> ${item.text}`;
  }
  return turns;
}

function countFromEnd(turns: readonly Turn[], holds: (turn: Turn) => boolean): number {
  const last = turns.findLastIndex((turn) => !holds(turn));
  return turns.length - 1 - last;
}

function repeats(turns: readonly Turn[]): number {
  const last = turns.at(-1);
  return last === undefined || last.calls === ''
    ? 0
    : countFromEnd(turns, (turn) => turn.calls === last.calls);
}

/** Why the agent must be stopped now, if it must. */
export function endedBy(
  items: readonly TranscriptItem[],
  limits: LoopLimits,
): { readonly mode: FailureMode; readonly details: string } | undefined {
  const turns = turnsOf(items);
  if (countFromEnd(turns, (turn) => turn.cut) >= emptyTurnsBeforeStop) {
    return {
      mode: 'output-limit',
      details: `${emptyTurnsBeforeStop} answers in a row were cut at the output cap`,
    };
  }
  if (countFromEnd(turns, (turn) => turn.calls === '') >= emptyTurnsBeforeStop) {
    return { mode: 'stalled', details: `${emptyTurnsBeforeStop} turns in a row called no tool` };
  }
  const repeated = repeats(turns);
  if (repeated >= 2 * repeatsBeforeNudge) {
    return { mode: 'looping', details: `the same calls gave the same results ${repeated} times` };
  }
  if (turns.length >= limits.turns) {
    return { mode: 'turn-limit', details: `no handoff after ${turns.length} turns` };
  }
  return undefined;
}

/** What to tell the agent before its next turn, if anything. */
export function nudgeFor(items: readonly TranscriptItem[]): string | undefined {
  if (items.at(-1)?.kind === 'user') return undefined;
  const turns = turnsOf(items);
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  if (last.cut)
    return 'Your answer was cut at the output cap. Make smaller calls: one file or one part of a file at a time.';
  if (last.calls === '')
    return 'You called no tool. Go on with your task, or call `finish` with your handoff.';
  if (repeats(turns) === repeatsBeforeNudge) {
    return 'You have made the same calls with the same results three times. Try another way, or call `finish` and say what stops you.';
  }
  return undefined;
}
