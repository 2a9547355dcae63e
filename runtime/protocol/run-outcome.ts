import type { RunStatus } from './events.ts';
import type { RunState } from './projection.ts';

/** How a run stands, in the words that users see. `unverified`: only a verify command is missing to call it green. */
export type ResultStatus = 'green' | 'unverified' | 'partial' | 'failed' | 'interrupted';

export function resultStatus(status: RunStatus, state: RunState): ResultStatus {
  if (status === 'complete') return 'green';
  return status === 'partial' && isOnlyUnverified(state) ? 'unverified' : status;
}

/** Only what is verified lands by itself, or what could not be verified because nobody said how. */
export function mayLand(status: RunStatus, state: RunState): boolean {
  const result = resultStatus(status, state);
  return result === 'green' || result === 'unverified';
}

/** True when the state that would land now has landed, by this session or one before. */
export function hasLanded(state: RunState): boolean {
  const target = state.options?.verify === undefined ? state.head : state.green;
  return state.landing?.ended === true && state.landing.snapshot === target?.snapshot;
}

export function hasOpenTasks(state: RunState): boolean {
  return (['waiting', 'running', 'sleeping', 'parked'] as const).some((name) => state.tasksIn(name).size > 0);
}

/** Nothing is missing but a command that could prove it. */
function isOnlyUnverified(state: RunState): boolean {
  if (state.options?.verify !== undefined || state.braked !== undefined || state.parked.size > 0)
    return false;
  return !hasOpenTasks(state) && state.tasks.get('root')?.state === 'done';
}
