/**
 * Facts of the log or journal that a playbook's turns may wait for, so that an order can be stated and survives a
 * resume. Written `TASK FACT`: `root/lexer committed`.
 *
 * - `started`: an agent of the task has its base snapshot
 * - `committed`: a change set of the task is on trunk
 * - `parked`: a change set of the task has been parked, resolved or not
 * - `ended`: the task is terminal
 */
export interface Facts {
  holds(fact: string): boolean;
  /** Resolves once the fact holds; rejects with the signal's reason when it aborts. */
  when(fact: string, signal: AbortSignal): Promise<void>;
}

export const factNames = ['started', 'committed', 'parked', 'ended'] as const;
