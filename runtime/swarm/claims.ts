import type { RunEvent } from '#protocol/events.ts';
import type { TaskPath, TaskSpec } from '#protocol/tasks.ts';
import type { EventLog } from './event-log.ts';

/**
 * What planners have been granted and the fold does not show yet: their events are stored with their calls' results. Two
 * planners that plan or decide at once are checked against each other here, so that a check and its claim are one step.
 */
export class Claims {
  readonly #tasks = new Map<TaskPath, TaskSpec>();
  readonly #questions = new Map<string, TaskPath>();

  constructor(log: EventLog) {
    log.subscribe((event) => {
      this.#fold(event);
    });
  }

  #fold(event: RunEvent): void {
    if (event.type === 'task.created') this.#tasks.delete(event.task);
    if (event.type === 'decision.recorded') this.#questions.delete(event.decision.question);
  }

  get tasks(): ReadonlyMap<TaskPath, TaskSpec> {
    return this.#tasks;
  }

  claimTasks(planner: TaskPath, specs: readonly TaskSpec[]): void {
    for (const spec of specs) this.#tasks.set(`${planner}/${spec.name}`, spec);
  }

  /** Who is recording the question now, if anyone. */
  questionOwner(question: string): TaskPath | undefined {
    return this.#questions.get(question);
  }

  claimQuestion(question: string, planner: TaskPath): void {
    this.#questions.set(question, planner);
  }

  releaseQuestion(question: string): void {
    this.#questions.delete(question);
  }
}
