import type { ParkedId, SubmitOutcome } from '#protocol/change-sets.ts';
import type { RunEventBody } from '#protocol/events.ts';
import type { Specification } from '#spec/specification.ts';
import type { Handoff, TaskPath, TaskState } from '#protocol/tasks.ts';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import type { CallPlace } from '#agents/agent-loop.ts';
import type { WorkerContext } from '#agents/tools/context.ts';
import type { CommandResult } from '#sandbox/command-runner.ts';
import type { View } from '#vcs/repository.ts';
import { bindingDecisions, formatReference } from './decision-register.ts';
import { defaultFieldGuide } from '#vcs/gates.ts';
import { limits, type SwarmEnvironment } from './environment.ts';
import type { AgentTranscript } from './event-log.ts';

/** The state that a handoff puts its task into. What is on trunk stays there either way. */
export function stateAfter(handoff: Handoff): TaskState {
  return handoff.status === 'done' || handoff.status === 'partial' ? 'done' : 'failed';
}

/**
 * True when the view holds edits that no submit has offered. After a conflict or a hold the view keeps its edits while
 * the parked set has them too: offering them again would only repeat the conflict.
 */
function hasUnofferedEdits(view: View, items: readonly TranscriptItem[]): boolean {
  if (view.edits().length === 0) return false;
  const parked = items.findLastIndex(
    (item) =>
      item.kind === 'tool' && item.name === 'submit' && /^outcome=(conflicted|held)\b/.test(item.text),
  );
  const edited = items.findLastIndex((item) => item.kind === 'tool' && item.view !== undefined);
  return parked < 0 || edited > parked;
}

/** What one worker can reach: its view, its commands, and the way to trunk. */
export class WorkerAgent implements WorkerContext {
  readonly view: View;
  readonly #environment: SwarmEnvironment;
  readonly #task: TaskPath;
  readonly #transcript: AgentTranscript;
  #place: CallPlace = { turn: 0, call: 0, rerun: false };
  #events: RunEventBody[] = [];

  constructor(environment: SwarmEnvironment, task: TaskPath, view: View, transcript: AgentTranscript) {
    this.#environment = environment;
    this.#task = task;
    this.view = view;
    this.#transcript = transcript;
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
    const others = this.#environment.repository
      .parked()
      .filter(({ request }) => request.id.task !== this.#task)
      .filter(({ request }) => request.changeSet.changes.some((change) => change.path === path))
      .map(({ request }) => request.id.task);
    return others.length === 0
      ? undefined
      : `${others.join(', ')} has parked work on this path; it may still change`;
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

  async submit(title: string, breakageReason: string | undefined): Promise<SubmitOutcome> {
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
    const outcome = hasUnofferedEdits(this.view, this.#transcript.items)
      ? await this.submit(title ?? firstLine(handoff.summary), undefined)
      : 'nothing';
    if (outcome === 'nothing')
      this.#end(handoff, this.#environment.log.projection.openParkedOf(this.#task)?.id);
    else if (outcome.kind !== 'rejected')
      this.#end(handoff, 'parked' in outcome ? outcome.parked : undefined);
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
