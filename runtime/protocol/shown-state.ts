import type { RunState } from './projection.ts';
import type { TaskState } from './tasks.ts';

/** A task's state as users see it: nobody works on a task of a run that nobody drives. */
export type ShownTaskState = TaskState | 'interrupted';

/** Whether somebody works on the run now. @param isActive a process has it open to drive it */
export function isDriven({ status }: Pick<RunState, 'status'>, isActive: boolean): boolean {
  return isActive && status === 'running';
}

export function shownState(state: TaskState, isRunDriven: boolean): ShownTaskState {
  return isRunDriven || (state !== 'running' && state !== 'sleeping') ? state : 'interrupted';
}
