import type { RunEventBody } from '#protocol/events.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import {
  isTerminal,
  isWithinTask,
  type Handoff,
  type Plan,
  type TaskPath,
  type WakePolicy,
} from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { CallPlace } from '#agents/agent-loop.ts';
import { handoffMessage } from '#agents/prompts/handoff-message.ts';
import type {
  DecisionDraft,
  DecisionOutcome,
  DropOutcome,
  PlannerContext,
  PlanningEnd,
  PlanOutcome,
} from '#agents/tools/context.ts';
import type { Specification } from '#spec/specification.ts';
import { claimedQuestions, recordDecision } from './decision-register.ts';
import type { SwarmEnvironment } from './environment.ts';
import { parkedNote } from './parked-note.ts';
import { checkPlan } from './plan-check.ts';
import { stateAfter } from './worker-agent.ts';

/** What one planner can reach: reading, deciding, delegating. It has no way to write or run anything. */
export class PlannerAgent implements PlannerContext {
  readonly #environment: SwarmEnvironment;
  readonly #task: TaskPath;
  #place: CallPlace = { turn: 0, call: 0, rerun: false };
  #events: RunEventBody[] = [];

  constructor(environment: SwarmEnvironment, task: TaskPath) {
    this.#environment = environment;
    this.#task = task;
  }

  /** A planner reads trunk as it is now. */
  get tree(): FileTree {
    return this.#environment.repository.head();
  }

  get spec(): Specification {
    return this.#environment.spec;
  }

  atCall(place: CallPlace): void {
    this.#place = place;
  }

  takeEvents(): readonly RunEventBody[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  note(path: string): string | undefined {
    return parkedNote(this.#environment.repository, path, this.#task);
  }

  async recordDecision(draft: DecisionDraft): Promise<DecisionOutcome> {
    const { repository, log, follower, options, claims } = this.#environment;
    const node = log.projection.task(this.#task);
    const outcome = await recordDecision(
      repository,
      log.projection,
      claims,
      {
        run: options.run,
        model: node.model ?? '',
        attempt: node.attempt,
        planner: this.#task,
        id: { task: this.#task, epoch: node.epoch, turn: this.#place.turn, call: this.#place.call },
      },
      draft,
    );
    await follower.settled();
    if (outcome.kind === 'recorded' && outcome.commit !== undefined) {
      this.#events.push({ type: 'decision.recorded', decision: outcome.decision, commit: outcome.commit });
    }
    return outcome;
  }

  async plan(plan: Plan): Promise<PlanOutcome> {
    if (this.#sleeps) {
      return {
        kind: 'rejected',
        problems: ['one plan a turn: you are told when your tasks have handed off'],
      };
    }
    const problems = checkPlan(plan, this.#planContext());
    if (problems.length > 0) return { kind: 'rejected', problems };
    // No other call runs between the check and the claim.
    this.#environment.claims.claimTasks(this.#task, plan.tasks);
    for (const spec of plan.tasks) {
      this.#events.push({ type: 'task.created', task: `${this.#task}/${spec.name}`, spec });
    }
    this.#sleep(plan.wake);
    return { kind: 'accepted', tasks: plan.tasks.length };
  }

  /** A planner ends when all its children have, and it has read what they handed up: until then it sleeps on. */
  async finish(handoff: Handoff): Promise<PlanningEnd> {
    const node = this.#environment.log.projection.task(this.#task);
    if (this.#sleeps || node.unfinishedChildren > 0 || node.undelivered.size > 0) {
      if (!this.#sleeps) this.#sleep('all');
      return {
        kind: 'rejected',
        code: 'children-running',
        details:
          'Your tasks have not all handed off, or you have not read their handoffs. You are woken with them; finish then.',
      };
    }
    this.#events.push({ type: 'task.ended', task: this.#task, state: stateAfter(handoff), handoff });
    return { kind: 'finished' };
  }

  /** A call of this turn, in this process or before a kill, has put the planner to sleep: its event came with the result. */
  get #sleeps(): boolean {
    return this.#environment.log.projection.task(this.#task).state === 'sleeping';
  }

  /** Parked work is given up by a recorded decision of a planner above it, and only once nobody settles it any more. */
  async dropParked(task: TaskPath, reason: string): Promise<DropOutcome> {
    const { repository, log, follower } = this.#environment;
    const node = log.projection.tasks.get(task);
    const parked = log.projection.openParkedOf(task);
    if (node === undefined || task === this.#task || !isWithinTask(task, this.#task)) {
      return { kind: 'rejected', code: 'not-yours', details: `${task} is no task below you` };
    }
    if (parked === undefined) {
      return { kind: 'rejected', code: 'not-parked', details: `${task} has no parked work` };
    }
    if (!isTerminal(node.state)) {
      return {
        kind: 'rejected',
        code: 'being-settled',
        details: 'a resolver is at it; you are told what comes of it',
      };
    }
    await repository.drop(parked.id, this.#task, reason);
    await follower.settled();
    return { kind: 'dropped' };
  }

  #sleep(wake: WakePolicy): void {
    this.#events.push({ type: 'task.slept', task: this.#task, wake });
  }

  #planContext(): Parameters<typeof checkPlan>[1] {
    const { options, log, spec, claims } = this.#environment;
    const { projection } = log;
    const node = projection.task(this.#task);
    return {
      planner: this.#task,
      scope: [...node.spec.scope, ...node.spec.shared],
      siblings: node.children.map((path) => {
        const child = projection.task(path);
        return { spec: child.spec, terminal: isTerminal(child.state) };
      }),
      decisions: [...projection.decisions.values()],
      claimed: claimedQuestions(projection, claims),
      sections: new Set(spec.outline.map((section) => section.id)),
      tasksLeft: options.caps.tasks - projection.tasks.size - claims.tasks.size,
      maxDepth: options.caps.depth,
    };
  }

  /** True when the planner is to be woken now. */
  get #isDue(): boolean {
    const node = this.#environment.log.projection.task(this.#task);
    if (node.undelivered.size === 0) return node.unfinishedChildren === 0;
    return node.wake === 'each' || node.unfinishedChildren === 0;
  }

  /** Resolves when a sleeping planner is due; at once when it is awake. */
  async due(signal: AbortSignal): Promise<void> {
    const { log } = this.#environment;
    signal.throwIfAborted();
    if (log.projection.task(this.#task).state !== 'sleeping' || this.#isDue) return;
    await log.until(() => this.#isDue, signal);
  }

  /** What a planner that was asleep is told, and the event that wakes it. */
  wakeUp(): { readonly item: TranscriptItem; readonly events: readonly RunEventBody[] } | undefined {
    const { projection } = this.#environment.log;
    if (projection.task(this.#task).state !== 'sleeping') return undefined;
    const handoffs = projection.undelivered(this.#task);
    const text = handoffMessage(
      handoffs.flatMap((task) => {
        const { handoff } = projection.task(task);
        return handoff ? [{ task, handoff }] : [];
      }),
    );
    return {
      item: { kind: 'user', text, handoffs },
      events: [{ type: 'task.woke', task: this.#task, handoffs }],
    };
  }
}
