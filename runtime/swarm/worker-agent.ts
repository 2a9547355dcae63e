import type { ParkedId, SubmitOutcome } from '#protocol/change-sets.ts';
import type { RunEventBody } from '#protocol/events.ts';
import type { Specification } from '#spec/specification.ts';
import type { Handoff, TaskPath, TaskState } from '#protocol/tasks.ts';
import type { CallPlace } from '#agents/agent-loop.ts';
import type { WorkerContext } from '#agents/tools/context.ts';
import { viewStepBetween } from '#agents/view-steps.ts';
import type { CommandResult } from '#sandbox/command-runner.ts';
import type { SyncResult, View } from '#vcs/repository.ts';
import { adoptSettled } from './adopt-settled.ts';
import { bindingDecisions, formatReference } from './decision-register.ts';
import { defaultFieldGuide } from '#protocol/field-guide.ts';
import { limits, type SwarmEnvironment } from './environment.ts';
import { parkedNote } from './parked-note.ts';

/** The state that a handoff puts its task into. What is on trunk stays there either way. */
export function stateAfter(handoff: Handoff): TaskState {
  return handoff.status === 'done' || handoff.status === 'partial' ? 'done' : 'failed';
}

/** What one worker can reach: its view, its commands, and the way to trunk. */
export class WorkerAgent implements WorkerContext {
  readonly view: View;
  readonly #environment: SwarmEnvironment;
  readonly #task: TaskPath;
  #place: CallPlace = { turn: 0, call: 0, rerun: false };
  #events: RunEventBody[] = [];

  constructor(environment: SwarmEnvironment, task: TaskPath, view: View) {
    this.#environment = environment;
    this.#task = task;
    this.view = view;
  }

  get tree(): View {
    return this.view;
  }

  get spec(): Specification {
    return this.#environment.spec;
  }

  get scope(): readonly string[] {
    const { spec } = this.#environment.log.projection.task(this.#task);
    return [...spec.scope, ...spec.shared, `${defaultFieldGuide.folder}/**`];
  }

  /** The owner of the checkout: no two agents ever share one. */
  get #owner(): string {
    return `${this.#task}@${this.#environment.log.projection.task(this.#task).attempt}`;
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

  async runCommand(command: string, signal: AbortSignal): Promise<CommandResult> {
    const result = await this.#environment.runner.run(
      this.#owner,
      this.view,
      command,
      limits.command,
      signal,
    );
    this.#events.push({
      type: 'command.ran',
      task: this.#task,
      command,
      exitCode: result.exitCode,
      milliseconds: result.milliseconds,
      rerun: this.#place.rerun,
    });
    return result;
  }

  async sync(): Promise<SyncResult> {
    await this.#adoptSettled();
    return this.view.sync();
  }

  async submit(title: string, breakageReason: string | undefined): Promise<SubmitOutcome> {
    await this.#adoptSettled();
    return this.#submit(title, breakageReason);
  }

  async #adoptSettled(): Promise<void> {
    const { repository, log } = this.#environment;
    await adoptSettled(repository, this.view, this.#task, log.projection.task(this.#task).epoch);
  }

  /**
   * True when the view holds edits that no submit has offered. After a conflict or a hold the view keeps its edits while
   * the parked set has them too: offering them again would only repeat the conflict.
   */
  get #hasUnofferedEdits(): boolean {
    const { repository, log } = this.#environment;
    const { epoch } = log.projection.task(this.#task);
    const edits = this.view.edits();
    if (edits.length === 0) return false;
    const parked = repository
      .parked()
      .find(({ request }) => request.id.task === this.#task && request.id.epoch === epoch);
    return (
      parked === undefined ||
      viewStepBetween(
        { base: parked.request.changeSet.base, edits: parked.request.changeSet.changes },
        { base: this.view.base.id, edits },
      ) !== undefined
    );
  }

  async #submit(title: string, breakageReason: string | undefined): Promise<SubmitOutcome> {
    const { repository, options, log, follower } = this.#environment;
    const node = log.projection.task(this.#task);
    const outcome = await repository.submit({
      id: { task: this.#task, epoch: node.epoch, turn: this.#place.turn, call: this.#place.call },
      changeSet: this.view.changeSet(),
      scope: this.scope,
      intent: breakageReason === undefined ? { kind: 'work' } : { kind: 'breakage', reason: breakageReason },
      provenance: {
        run: options.run,
        task: this.#task,
        attempt: node.attempt,
        role: 'worker',
        model: node.model ?? '',
        decisions: bindingDecisions(log.projection, this.#task).map(formatReference),
        title,
      },
    });
    // What follows from a commit is journalled after the commit.
    await follower.settled();
    if (outcome.kind === 'committed' || outcome.kind === 'merged') this.view.advance(outcome.commit);
    return outcome;
  }

  async finish(handoff: Handoff, title?: string): Promise<SubmitOutcome | 'nothing'> {
    await this.#adoptSettled();
    const outcome = this.#hasUnofferedEdits
      ? await this.#submit(title ?? firstLine(handoff.summary), undefined)
      : 'nothing';
    if (outcome === 'nothing' || outcome.kind !== 'rejected') {
      // Of this agent, or of one before it whose set is still open.
      this.#end(handoff, this.#environment.log.projection.openParkedOf(this.#task)?.id);
    }
    return outcome;
  }

  /** A task whose work is parked is not done before that is on trunk. */
  #end(handoff: Handoff, parked: ParkedId | undefined): void {
    this.#events.push(
      parked === undefined
        ? { type: 'task.ended', task: this.#task, state: stateAfter(handoff), handoff }
        : { type: 'task.parked', task: this.#task, parked, handoff },
    );
  }
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 120);
}
