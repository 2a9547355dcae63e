import type { RunEvent, RunStatus } from '#protocol/events.ts';
import type { RunProjection } from '#protocol/projection.ts';
import { parentTask, type TaskPath } from '#protocol/tasks.ts';
import { ModelError } from '#models/errors.ts';
import { Slots } from '#agents/slots.ts';
import { limits, type SwarmEnvironment } from './environment.ts';
import { Keeper } from './keeper.ts';
import { driveResolver, submitResolution } from './neutral-resolver.ts';
import { runEnd } from './run-end.ts';
import { syntheticHandoff } from './synthetic-handoff.ts';
import { driveTask } from './task-agent.ts';
import { stateAfter } from './worker-agent.ts';

/** Why the run's work is being stopped before it is done. */
type Stop =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'braked' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Drives the tree of tasks. Everything it starts follows from the folded state, in `#pump`, which runs after each event
 * and is all that runs after a resume as well.
 */
export class Swarm {
  readonly #environment: SwarmEnvironment;
  readonly #slots: Slots;
  readonly #keeper: Keeper | undefined;
  /** Agents that run in this process, by task path or resolver key. */
  readonly #live = new Map<string, Promise<void>>();
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
    const unsubscribe = this.#environment.log.subscribe((event) => {
      this.#onEvent(event);
    });
    const stopClock = this.#watchTime();
    try {
      await this.#work();
      await this.#settle();
      if (this.#stop?.kind === 'braked' && !signal.aborted) await this.#lastLook(signal);
      return await this.#end();
    } finally {
      stopClock();
      unsubscribe();
      signal.removeEventListener('abort', interrupt);
    }
  }

  #onEvent(_event: RunEvent): void {
    this.#changed();
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
    this.#changed();
  }

  /** Time is braked like tokens and dollars; 5 % of it is kept for a last verification. */
  #watchTime(): () => void {
    const { minutes } = this.#environment.options.caps;
    if (minutes === undefined) return () => undefined;
    const left = minutes * 60_000 * 0.95 - this.#state.workedMilliseconds;
    return this.#environment.scheduler.after(Math.max(left, 0), () => {
      void this.#brake(`the cap of ${minutes} minutes is reached`);
    });
  }

  async #brake(reason: string): Promise<void> {
    if (this.#stop !== undefined) return;
    this.#halt({ kind: 'braked' });
    try {
      await this.#environment.log.publish({ type: 'run.braked', reason });
    } catch (error) {
      this.#stop = { kind: 'failed', error };
    }
  }

  async #pump(): Promise<void> {
    await this.#endWhatCannotStart();
    await this.#endWhatIsNoLongerParked();
    for (const state of ['running', 'sleeping', 'waiting'] as const) {
      for (const task of [...this.#state.tasksIn(state)].toSorted()) {
        if (state !== 'waiting' || this.#isReady(task)) this.#launchTask(task, state !== 'waiting');
      }
    }
    this.#launchResolvers();
    if (!this.#abort.signal.aborted) {
      this.#keeper?.look(
        this.#areTasksDone(),
        this.#abort.signal,
        async (error) => this.#onFailure(error),
        () => {
          this.#changed();
        },
      );
    }
  }

  #dependencies(task: TaskPath): readonly TaskPath[] {
    const parent = parentTask(task);
    return this.#state.task(task).spec.dependsOn.map((name) => `${parent ?? ''}/${name}`);
  }

  #isReady(task: TaskPath): boolean {
    return this.#dependencies(task).every((dependency) => this.#state.task(dependency).state === 'done');
  }

  /** Nothing is awaited for ever: what depends on work that will not come ends, and its planner hears of it. */
  async #endWhatCannotStart(): Promise<void> {
    for (const task of this.#state.tasksIn('waiting')) {
      if (this.#live.has(task)) continue;
      const missing = this.#dependencies(task).find((dependency) =>
        ['failed', 'cancelled'].includes(this.#state.task(dependency).state),
      );
      if (missing === undefined) continue;
      await this.#environment.log.publish({
        type: 'task.ended',
        task,
        state: 'cancelled',
        handoff: syntheticHandoff('cancelled', `Not started: it depends on ${missing}, which was not done.`),
      });
    }
  }

  async #endWhatIsNoLongerParked(): Promise<void> {
    for (const task of this.#state.tasksIn('parked')) {
      const { handoff } = this.#state.task(task);
      const parked = this.#state.openParkedOf(task);
      if (handoff === undefined) continue;
      if (parked === undefined) {
        await this.#environment.log.publish({
          type: 'task.ended',
          task,
          state: stateAfter(handoff),
          handoff,
        });
      } else if (parked.round > limits.rounds || this.#exhausted.has(parked.id)) {
        await this.#environment.log.publish({
          type: 'task.ended',
          task,
          state: 'failed',
          handoff: {
            ...syntheticHandoff('parked-without-resolution', handoff.summary),
            concerns: [`Its work is parked whole as ${parked.id}: the conflict was not settled.`],
          },
        });
      }
    }
  }

  #launchTask(task: TaskPath, goesOn: boolean): void {
    this.#launch(task, async (signal) => driveTask(this.#environment, this.#slots, task, goesOn, signal));
  }

  #launchResolvers(): void {
    for (const parked of this.#state.parked.values()) {
      if (parked.round > limits.rounds || parked.conflicts.length === 0 || this.#exhausted.has(parked.id))
        continue;
      this.#launch(parked.id, async (signal) => {
        const answers = await Promise.all(
          parked.conflicts.map(async (conflict) =>
            driveResolver(this.#environment, parked, conflict, signal),
          ),
        );
        const settled = answers.every((answer) => answer.kind === 'settled');
        if (!settled || !(await submitResolution(this.#environment, parked, answers)))
          this.#exhausted.add(parked.id);
      });
    }
  }

  #launch(key: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#live.has(key) || this.#abort.signal.aborted) return;
    const running = (async (): Promise<void> => {
      try {
        await work(this.#abort.signal);
      } catch (error) {
        await this.#onFailure(error);
      } finally {
        this.#live.delete(key);
        this.#changed();
      }
    })();
    this.#live.set(key, running);
  }

  async #onFailure(error: unknown): Promise<void> {
    if (this.#abort.signal.aborted) return;
    if (!ModelError.is(error, 'budget')) {
      this.#halt({ kind: 'failed', error });
      return;
    }
    await this.#brake(`the cap on ${error.details['cap'] ?? 'spend'} is reached: ${error.message}`);
  }

  #areTasksDone(): boolean {
    const open = (['waiting', 'running', 'sleeping', 'parked'] as const).some(
      (state) => this.#state.tasksIn(state).size > 0,
    );
    return !open && this.#live.size === 0;
  }

  #isDone(): boolean {
    return this.#areTasksDone() && (this.#keeper?.isCurrent ?? true);
  }

  /** Waits until everything that was told to stop has stopped. */
  async #settle(): Promise<void> {
    while (this.#live.size > 0) await Promise.all(this.#live.values());
    await this.#keeper?.settled();
  }

  /** After a brake: what is on trunk may be worth landing. */
  async #lastLook(signal: AbortSignal): Promise<void> {
    this.#keeper?.look(
      true,
      signal,
      async (error) => {
        if (!signal.aborted) this.#stop = { kind: 'failed', error };
      },
      () => undefined,
    );
    await this.#keeper?.settled();
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
