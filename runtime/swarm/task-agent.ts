import type { FailureMode, TaskPath } from '#protocol/tasks.ts';
import { runAgent, type AgentEnd } from '#agents/agent-loop.ts';
import { SlotHold, type Slots } from '#agents/slots.ts';
import { plannerTools, workerTools } from '#agents/tools/toolsets.ts';
import { viewStateAfter } from '#agents/view-steps.ts';
import { plannerOpening, workerOpening } from './context-assembly.ts';
import { limits, type SwarmEnvironment } from './environment.ts';
import type { AgentTranscript } from './event-log.ts';
import { PlannerAgent } from './planner-agent.ts';
import { syntheticHandoff } from './synthetic-handoff.ts';
import { WorkerAgent } from './worker-agent.ts';

/** Starts a task's agent, or goes on with the one that a kill stopped, and sees it to its end. */
export async function driveTask(
  environment: SwarmEnvironment,
  slots: Slots,
  task: TaskPath,
  goesOn: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { log, runner } = environment;
  const hold = new SlotHold(slots);
  // A planner that sleeps holds no slot, so it need not queue for one just to go on sleeping.
  if (log.projection.task(task).state !== 'sleeping') await hold.take(signal, goesOn);
  try {
    if (!goesOn) await start(environment, task);
    const agent = `${task}@${log.projection.task(task).attempt}`;
    const transcript = await log.transcript(agent);
    const drive = log.projection.task(task).spec.role === 'worker' ? driveWorker : drivePlanner;
    const end = await drive(environment, task, transcript, hold, signal);
    await runner.release(agent);
    if (end.kind === 'failed') await giveUp(environment, task, end.mode, end.details);
  } finally {
    hold.give();
  }
}

async function start(environment: SwarmEnvironment, task: TaskPath): Promise<void> {
  const { log, repository, options } = environment;
  const node = log.projection.task(task);
  await log.publish({
    type: 'task.started',
    task,
    attempt: Math.max(node.attempt, 1),
    epoch: Math.max(node.epoch, 1),
    base: repository.head().id,
    model: options.models[node.spec.role],
  });
}

async function driveWorker(
  environment: SwarmEnvironment,
  task: TaskPath,
  transcript: AgentTranscript,
  hold: SlotHold,
  signal: AbortSignal,
): Promise<AgentEnd> {
  const { log, repository } = environment;
  const node = log.projection.task(task);
  const state = viewStateAfter(node.base ?? repository.head().id, transcript.items);
  const view = repository.openView(state.base, state.edits);
  const worker = new WorkerAgent(environment, task, view);
  return runAgent(
    {
      account: task,
      callKey: (turn) => `worker ${task} ${node.attempt} ${turn}`,
      opening: async () => workerOpening(environment, task, view),
      tools: workerTools,
      context: worker,
      limits: { turns: limits.workerTurns, outputTokens: limits.outputTokens },
      transcript,
      model: environment.modelFor('worker', hold),
      viewState: () => ({ base: view.base.id, edits: view.edits() }),
      atCall: (place) => {
        worker.atCall(place);
      },
      takeEvents: () => worker.takeEvents(),
      beforeTurn: async () => undefined,
    },
    signal,
  );
}

async function drivePlanner(
  environment: SwarmEnvironment,
  task: TaskPath,
  transcript: AgentTranscript,
  hold: SlotHold,
  signal: AbortSignal,
): Promise<AgentEnd> {
  const { log, repository } = environment;
  const node = log.projection.task(task);
  const planner = new PlannerAgent(environment, task);
  return runAgent(
    {
      account: task,
      callKey: (turn) => `planner ${task} ${node.attempt} ${turn}`,
      opening: async () =>
        plannerOpening(environment, task, repository.snapshot(node.base ?? repository.head().id)),
      tools: plannerTools,
      context: planner,
      limits: { turns: limits.plannerTurns, outputTokens: limits.outputTokens },
      transcript,
      model: environment.modelFor('planner', hold),
      viewState: () => undefined,
      atCall: (place) => {
        planner.atCall(place);
      },
      takeEvents: () => planner.takeEvents(),
      beforeTurn: async () => {
        await hold.without(planner.due(signal), signal);
        return planner.wakeUp();
      },
    },
    signal,
  );
}

/** An agent that could not end by itself is replaced, twice; then its planner is told what became of it. */
async function giveUp(
  environment: SwarmEnvironment,
  task: TaskPath,
  mode: FailureMode,
  details: string,
): Promise<void> {
  const { log, repository, follower } = environment;
  const node = log.projection.task(task);
  if (node.attempt < limits.attempts) {
    await repository.fence(task, node.epoch + 1, `takeover: ${mode}`);
    await follower.settled();
    await log.publish({ type: 'task.retried', task, attempt: node.attempt + 1, mode, details });
    return;
  }
  await log.publish({
    type: 'task.ended',
    task,
    state: 'failed',
    handoff: syntheticHandoff(mode, `Given up after ${node.attempt} agents. The last one: ${details}.`),
  });
}
