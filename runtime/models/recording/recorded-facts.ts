import type { RunEvent } from '#protocol/events.ts';
import { parentTask, type TaskPath } from '#protocol/tasks.ts';
import { conversationOf, parseCallKey } from '../playbook/call-keys.ts';

/** What a turn did to trunk: a commit, or a set that was parked. */
export interface Effect {
  readonly sequence: number;
  readonly kind: 'committed' | 'parked';
  readonly task: TaskPath;
  /** Turns that brought it about: one, or the last one of each resolver of a set. None where no turn did. */
  readonly turns: readonly string[];
  /** True when it is what makes the fact of its kind hold. */
  readonly isFact: boolean;
  readonly commit: string | undefined;
  readonly paths: readonly string[];
}

/** One agent of a task. */
interface RecordedAttempt {
  readonly attempt: number;
  readonly started: number;
  /** Why it was given up, when it was. */
  readonly failure: string | undefined;
  readonly changedTrunk: boolean;
}

export interface RecordedTask {
  readonly task: TaskPath;
  readonly created: number;
  /** The turn that planned it; undefined for the root. */
  readonly plannedBy: string | undefined;
  readonly dependsOn: readonly TaskPath[];
  readonly attempts: readonly RecordedAttempt[];
  readonly ended: { readonly sequence: number; readonly isDone: boolean } | undefined;
}

/** One time that a planner slept until it was told something. */
export interface RecordedSleep {
  readonly planner: TaskPath;
  /** The turn that put it to sleep. */
  readonly turn: string | undefined;
  readonly wake: 'each' | 'all';
  /** What it was woken with. */
  readonly woke: readonly TaskPath[];
  /** True when all its tasks had ended by then. */
  readonly allEnded: boolean;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenAttempt = Mutable<RecordedAttempt>;
interface OpenTask extends Mutable<Omit<RecordedTask, 'attempts'>> {
  readonly attempts: OpenAttempt[];
}

/** What a run's events say about order: who did what, after whom. A fold; it looks at no transcript. */
export class RecordedFacts {
  readonly tasks: Map<TaskPath, OpenTask> = new Map();
  readonly effects: Effect[] = [];
  readonly sleeps: Mutable<RecordedSleep>[] = [];
  /** Keys of answered calls, in their order. */
  readonly turns: string[] = [];
  /** When a turn first did something that others can see. */
  readonly firstEffect: Map<string, number> = new Map();
  /** Tasks that ran at once, at most. */
  peak = 0;
  readonly #running = new Set<TaskPath>();
  readonly #lastTurn = new Map<TaskPath, string>();
  /** Last turns of resolvers whose set is not settled yet, by the task of the set. */
  readonly #resolvers = new Map<TaskPath, Map<string, string>>();
  readonly #held = new Set<string>();
  readonly #parkedTask = new Map<string, TaskPath>();

  constructor(events: readonly RunEvent[]) {
    for (const event of events) this.#take(event);
  }

  /** What is not named here orders nothing. */
  #take(event: RunEvent): void {
    if (event.type === 'call.settled') this.#answer(event.key, event.account);
    else if (event.type === 'task.created') this.#create(event);
    else if (event.type === 'task.started') this.#start(event);
    else if (event.type === 'task.slept') this.#sleep(event);
    else if (event.type === 'task.woke') this.#wake(event.task, event.handoffs);
    else if (event.type === 'task.parked') this.#park(event.task, event.sequence);
    else if (event.type === 'task.retried') this.#giveUp(event.task, event.mode);
    else if (event.type === 'task.ended') this.#end(event);
    else if (event.type === 'decision.recorded') this.#did(event.decision.owner, event.sequence);
    else if (event.type === 'vcs.committed' || event.type === 'vcs.parked') this.#change(event);
  }

  #start({ task, attempt, sequence }: Extract<RunEvent, { type: 'task.started' }>): void {
    const attempts = this.tasks.get(task)?.attempts;
    attempts?.push({ attempt, started: sequence, failure: undefined, changedTrunk: false });
    this.#run(task, true);
  }

  #sleep({ task, wake, sequence }: Extract<RunEvent, { type: 'task.slept' }>): void {
    const turn = this.#did(task, sequence);
    this.sleeps.push({ planner: task, turn, wake, woke: [], allEnded: false });
    this.#run(task, false);
  }

  #park(task: TaskPath, sequence: number): void {
    this.#did(task, sequence);
    this.#run(task, false);
  }

  #answer(key: string, account: TaskPath): void {
    this.turns.push(key);
    if (parseCallKey(key)?.kind !== 'resolver') {
      this.#lastTurn.set(account, key);
      return;
    }
    const ofTask = this.#resolvers.get(account) ?? new Map<string, string>();
    ofTask.set(conversationOf(key), key);
    this.#resolvers.set(account, ofTask);
  }

  /** The task's newest turn did something that others can see. */
  #did(task: TaskPath, sequence: number): string | undefined {
    const turn = this.#lastTurn.get(task);
    if (turn !== undefined && !this.firstEffect.has(turn)) this.firstEffect.set(turn, sequence);
    return turn;
  }

  #create({ task, spec, sequence }: Extract<RunEvent, { type: 'task.created' }>): void {
    const parent = parentTask(task);
    this.tasks.set(task, {
      task,
      created: sequence,
      plannedBy: parent === undefined ? undefined : this.#did(parent, sequence),
      dependsOn: spec.dependsOn.map((name) => `${parent ?? ''}/${name}`),
      attempts: [],
      ended: undefined,
    });
  }

  #run(task: TaskPath, isRunning: boolean): void {
    if (isRunning) this.#running.add(task);
    else this.#running.delete(task);
    this.peak = Math.max(this.peak, this.#running.size);
  }

  #wake(planner: TaskPath, handoffs: readonly TaskPath[]): void {
    const sleep = this.sleeps.findLast((one) => one.planner === planner);
    if (sleep) {
      sleep.woke = handoffs;
      sleep.allEnded = [...this.tasks.values()].every(
        ({ task, ended }) => parentTask(task) !== planner || ended !== undefined,
      );
    }
    this.#run(planner, true);
  }

  #giveUp(task: TaskPath, mode: string): void {
    const last = this.tasks.get(task)?.attempts.at(-1);
    if (last) last.failure = mode;
    this.#run(task, false);
  }

  #end({ task, state, handoff, sequence }: Extract<RunEvent, { type: 'task.ended' }>): void {
    const entry = this.tasks.get(task);
    if (entry) {
      entry.ended = { sequence, isDone: state === 'done' };
      const last = entry.attempts.at(-1);
      if (last && handoff.synthetic !== undefined) last.failure = handoff.synthetic;
    }
    if (handoff.synthetic === undefined) this.#did(task, sequence);
    this.#run(task, false);
  }

  #change(event: Extract<RunEvent, { type: 'vcs.committed' | 'vcs.parked' }>): void {
    const isCommit = event.type === 'vcs.committed';
    // The log begins with the import.
    if (isCommit && event.position === 1) return;
    const resolved =
      isCommit && event.resolves !== undefined ? this.#parkedTask.get(event.resolves) : undefined;
    const task = resolved ?? event.task;
    if (!isCommit) this.#parkedTask.set(event.parked, task);
    const kind = isCommit ? 'committed' : 'parked';
    const resolvers = this.#resolvers.get(task);
    const isResolution = resolvers !== undefined && isCommit && event.role === 'resolver';
    let turns: readonly string[];
    if (isResolution) {
      turns = [...resolvers.values()];
      for (const turn of turns) this.firstEffect.set(turn, event.sequence);
      this.#resolvers.delete(task);
    } else {
      const turn = this.#did(task, event.sequence);
      turns = turn === undefined ? [] : [turn];
      const attempt = this.tasks.get(task)?.attempts.at(-1);
      if (attempt) attempt.changedTrunk = true;
    }
    const isFact = !this.#held.has(`${task} ${kind}`);
    this.#held.add(`${task} ${kind}`);
    const commit = isCommit ? event.commit : undefined;
    const paths = isCommit ? event.paths : event.conflicts.map(({ path }) => path);
    this.effects.push({ sequence: event.sequence, kind, task, turns, isFact, commit, paths });
  }
}
