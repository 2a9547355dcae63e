import type { RunStatus } from '#protocol/events.ts';
import type { OpenParked } from '#protocol/projection-trunk.ts';
import type { RunProjection } from '#protocol/projection.ts';
import { isTerminal, parentTask, type Handoff, type TaskPath } from '#protocol/tasks.ts';
import { ModelError } from '#models/errors.ts';
import { Slots } from '#agents/slots.ts';
import { limits, type SwarmEnvironment } from './environment.ts';
import { Keeper } from './keeper.ts';
import { LiveWork, type WorkGroup } from './live-work.ts';
import { driveResolver, submitResolution } from './neutral-resolver.ts';
import { runEnd } from './run-end.ts';
import { syntheticHandoff } from './synthetic-handoff.ts';
import { driveTask } from './task-agent.ts';
import { stateAfter } from './worker-agent.ts';

/** Why the run is being stopped before it is done. */
type Stop =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The part of the minutes after which tasks stop; the rest is kept for resolvers and the keeper. */
const taskShare = 0.95;

/**
 * Drives the tree of tasks. Everything it starts follows from the folded state, in `#pump`, which runs after each event
 * and is all that runs after a resume as well.
 */
export class Swarm {
  readonly #environment: SwarmEnvironment;
  readonly #slots: Slots;
  readonly #resolverSlots = new Slots(limits.resolverSlots);
  readonly #keeper: Keeper | undefined;
  /** By task path, or by parked set. */
  readonly #live: LiveWork;
  /** Parked sets whose resolvers gave up: their conflicts wait for the planner. */
  readonly #exhausted = new Set<string>();
  readonly #abort = new AbortController();
  #stop: Stop | undefined;
  #changed: () => void = () => undefined;

  constructor(environment: SwarmEnvironment) {
    this.#environment = environment;
    this.#slots = new Slots(environment.options.caps.concurrency);
    const { verify } = environment.options;
    this.#keeper = verify === undefined ? undefined : new Keeper(environment, verify);
    this.#live = new LiveWork(
      async (error, group) => this.#onFailure(error, group),
      () => {
        this.#changed();
      },
    );
  }

  get #state(): RunProjection {
    return this.#environment.log.projection;
  }

  /** @throws the error that stopped the run; it has ended as failed, and can be resumed */
  async drive(signal: AbortSignal): Promise<RunStatus> {
    const interrupt = (): void => {
      this.#halt({ kind: 'interrupted' });
    };
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    let stopClock = this.#watchTime();
    const unsubscribe = this.#environment.log.subscribe(({ type }) => {
      // The time of a pause is not the run's.
      if (type === 'run.paused' || type === 'run.continued') stopClock();
      if (type === 'run.continued') stopClock = this.#watchTime();
      this.#changed();
    });
    try {
      await this.#work();
      await this.#live.settled();
      await this.#keeper?.settled();
      return await this.#end();
    } finally {
      stopClock();
      unsubscribe();
      signal.removeEventListener('abort', interrupt);
    }
  }

  async #work(): Promise<void> {
    while (this.#stop === undefined) {
      const changed = new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
      try {
        await this.#pump();
      } catch (error) {
        this.#halt({ kind: 'failed', error });
      }
      if (this.#stop !== undefined || this.#isDone()) return;
      await changed;
    }
  }

  #halt(stop: Stop): void {
    // The first reason counts: what follows from stopping is no reason.
    this.#stop ??= stop;
    this.#abort.abort(new Error(stop.kind));
    this.#live.close('tasks', stop.kind);
    this.#live.close('resolvers', stop.kind);
    this.#changed();
  }

  /** Time is capped like tokens and dollars: tasks stop when their share is used up, everything else at the end. */
  #watchTime(): () => void {
    const { minutes } = this.#environment.options.caps;
    if (minutes === undefined) return () => undefined;
    const { scheduler } = this.#environment;
    const left = (share: number): number =>
      Math.max(minutes * 60_000 * share - this.#state.workedMilliseconds, 0);
    const stops = [
      scheduler.after(left(taskShare), () => {
        void this.#stopTasks(`the cap of ${minutes} minutes is reached`);
      }),
      scheduler.after(left(1), () => {
        this.#halt({ kind: 'out-of-time' });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** A cap is reached: tasks stop where they are, resolvers and the keeper finish with what is kept for them. */
  async #stopTasks(reason: string): Promise<void> {
    if (this.#live.isClosed('tasks')) return;
    this.#live.close('tasks', 'cap');
    try {
      await this.#environment.log.publish({ type: 'run.braked', reason });
    } catch (error) {
      this.#halt({ kind: 'failed', error });
    }
    this.#changed();
  }

  async #onFailure(error: unknown, group: WorkGroup): Promise<void> {
    if (this.#stop !== undefined) return;
    if (!ModelError.is(error, 'budget')) {
      this.#halt({ kind: 'failed', error });
      return;
    }
    if (group === 'resolvers') this.#live.close('resolvers', 'cap');
    await this.#stopTasks(`the cap on ${error.details['cap'] ?? 'spend'} is reached: ${error.message}`);
  }

  async #pump(): Promise<void> {
    await this.#endOrphans();
    await this.#endWhatCannotStart();
    await this.#endWhatIsNoLongerParked();
    for (const state of ['running', 'sleeping', 'waiting'] as const) {
      for (const task of [...this.#state.tasksIn(state)].toSorted()) {
        if (state !== 'waiting' || this.#isReady(task)) this.#launchTask(task, state !== 'waiting');
      }
    }
    for (const parked of this.#state.parked.values()) {
      if (this.#isResolvable(parked)) this.#launchResolvers(parked);
    }
    if (this.#abort.signal.aborted) return;
    this.#keeper?.look(
      this.#isIdle(),
      this.#abort.signal,
      async (error) => {
        if (!this.#abort.signal.aborted) this.#halt({ kind: 'failed', error });
      },
      () => {
        this.#changed();
      },
    );
  }

  #dependencies(task: TaskPath): readonly TaskPath[] {
    const parent = parentTask(task);
    return this.#state.task(task).spec.dependsOn.map((name) => `${parent ?? ''}/${name}`);
  }

  #isReady(task: TaskPath): boolean {
    return this.#dependencies(task).every((dependency) => this.#state.task(dependency).state === 'done');
  }

  /** Tasks of a planner that was given up have nobody to hand off to: they are stopped, fenced off and cancelled. */
  async #endOrphans(): Promise<void> {
    for (const state of ['waiting', 'running', 'sleeping', 'parked'] as const) {
      for (const task of this.#state.tasksIn(state)) {
        const node = this.#state.task(task);
        if (node.parent === undefined || !isTerminal(this.#state.task(node.parent).state)) continue;
        this.#live.stop(task, 'cancelled');
        if (this.#live.has(task)) continue;
        if (node.epoch > 0) {
          await this.#environment.repository.fence(task, node.epoch + 1, 'cancelled with its planner');
          await this.#environment.follower.settled();
        }
        await this.#cancel(task, `Cancelled: its planner ${node.parent} was given up.`);
      }
    }
  }

  /** Nothing is awaited for ever: what depends on work that will not come ends, and its planner hears of it. */
  async #endWhatCannotStart(): Promise<void> {
    for (const task of this.#state.tasksIn('waiting')) {
      if (this.#live.has(task)) continue;
      const missing = this.#dependencies(task).find((dependency) =>
        ['failed', 'cancelled'].includes(this.#state.task(dependency).state),
      );
      if (missing !== undefined) {
        await this.#cancel(task, `Not started: it depends on ${missing}, which was not done.`);
      }
    }
  }

  async #cancel(task: TaskPath, summary: string): Promise<void> {
    await this.#environment.log.publish({
      type: 'task.ended',
      task,
      state: 'cancelled',
      handoff: syntheticHandoff('cancelled', summary),
    });
  }

  async #endWhatIsNoLongerParked(): Promise<void> {
    for (const task of this.#state.tasksIn('parked')) {
      const { handoff } = this.#state.task(task);
      const parked = this.#state.openParkedOf(task);
      if (handoff === undefined || (parked && !this.#isGivenUp(parked))) continue;
      await this.#environment.log.publish({
        type: 'task.ended',
        task,
        ...(parked === undefined
          ? { state: stateAfter(handoff), handoff }
          : { state: 'failed', handoff: unresolvedHandoff(handoff, parked) }),
      });
    }
  }

  #isGivenUp(parked: OpenParked): boolean {
    return parked.round > limits.rounds || this.#exhausted.has(parked.id);
  }

  #isResolvable(parked: OpenParked): boolean {
    return parked.conflicts.length > 0 && !this.#isGivenUp(parked) && !this.#live.isClosed('resolvers');
  }

  #launchTask(task: TaskPath, goesOn: boolean): void {
    this.#live.launch(task, 'tasks', async (signal) =>
      driveTask(this.#environment, this.#slots, task, goesOn, signal),
    );
  }

  #launchResolvers(parked: OpenParked): void {
    this.#live.launch(parked.id, 'resolvers', async (signal) => {
      const answers = await Promise.all(
        parked.conflicts.map(async (conflict) =>
          driveResolver(this.#environment, this.#resolverSlots, parked, conflict, signal),
        ),
      );
      const settled = answers.every((answer) => answer.kind === 'settled');
      if (!settled || !(await submitResolution(this.#environment, parked, answers))) {
        this.#exhausted.add(parked.id);
      }
    });
  }

  /** True when no task will move by itself: all are terminal, or a cap has stopped them. */
  #isIdle(): boolean {
    if (this.#live.size > 0 || [...this.#state.parked.values()].some((one) => this.#isResolvable(one))) {
      return false;
    }
    return (
      this.#live.isClosed('tasks') ||
      (['waiting', 'running', 'sleeping', 'parked'] as const).every(
        (state) => this.#state.tasksIn(state).size === 0,
      )
    );
  }

  #isDone(): boolean {
    return this.#isIdle() && (this.#keeper?.isCurrent ?? true);
  }

  async #end(): Promise<RunStatus> {
    const { log, follower } = this.#environment;
    const stop = this.#stop;
    if (stop?.kind === 'failed') {
      const reason = stop.error instanceof Error ? stop.error.message : String(stop.error);
      // A journal that can no longer be written is often what stopped the run; its error counts, not this one's.
      await log.publish({ type: 'run.ended', status: 'failed', reasons: [reason] }).catch(() => undefined);
      throw stop.error;
    }
    await follower.settled();
    const end = runEnd(this.#state, stop?.kind === 'interrupted');
    await log.publish({ type: 'run.ended', ...end });
    return end.status;
  }
}

function unresolvedHandoff(handoff: Handoff, parked: OpenParked): Handoff {
  return {
    ...syntheticHandoff('parked-without-resolution', handoff.summary),
    concerns: [
      `Its work is parked whole: the conflict on ${parked.conflicts.map(({ path }) => path).join(', ')} was not settled. ` +
        'Drop it with drop_parked and plan its replacement, or leave it for the user.',
    ],
  };
}
