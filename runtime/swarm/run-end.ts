import type { RunStatus } from '#protocol/events.ts';
import type { RunState } from '#protocol/projection.ts';

/**
 * How a run stands when nothing works on it any more. Complete: green is head, nothing is parked, all tasks are
 * terminal; otherwise partial, with the reasons.
 */
export function runEnd(
  state: RunState,
  interrupted: boolean,
): { readonly status: RunStatus; readonly reasons: readonly string[] } {
  if (interrupted) return { status: 'interrupted', reasons: ['stopped by the user'] };
  const reasons: string[] = [];
  if (state.braked !== undefined) reasons.push(state.braked);
  for (const name of ['waiting', 'running', 'sleeping', 'parked'] as const) {
    const tasks = [...state.tasksIn(name)];
    if (tasks.length > 0) reasons.push(`${tasks.length} ${name}: ${tasks.slice(0, 5).join(', ')}`);
  }
  for (const parked of state.parked.values()) {
    reasons.push(`parked: ${parked.task} (${parked.conflicts.map((conflict) => conflict.path).join(', ')})`);
  }
  if (state.options?.verify === undefined) {
    reasons.push('unverified: there is no verify command');
  } else if (
    state.green?.snapshot !== state.head?.snapshot ||
    state.green?.evidence.command !== state.options.verify
  ) {
    const last = state.lastVerification;
    reasons.push(
      last === undefined
        ? 'trunk was not verified'
        : `trunk does not verify: '${last.command}' ended with ${last.exitCode ?? last.ended}`,
    );
  }
  if (state.tasks.get('root')?.state === 'failed') {
    reasons.push(`the root planner gave up: ${state.task('root').handoff?.summary ?? ''}`);
  }
  const complete = reasons.length === 0;
  // What failed on the way is worth knowing, and does not make a verified trunk partial.
  for (const task of state.tasksIn('failed')) {
    reasons.push(`failed: ${task}: ${state.task(task).handoff?.summary ?? ''}`);
  }
  return { status: complete ? 'complete' : 'partial', reasons };
}
