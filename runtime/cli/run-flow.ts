import type { LandedFile, RunStatus } from '#protocol/events.ts';
import { hasLanded, mayLand } from '#protocol/run-outcome.ts';
import type { RunSession } from '#swarm/session.ts';
import type { Host } from './host.ts';
import type { Interrupts } from './interrupts.ts';
import { errorText } from './messages.ts';
import type { Output } from './output.ts';
import { type Progress, startProgress } from './progress.ts';
import { exitCode, resultJson, type RunOutcome, shortfall, summaryLines } from './run-result.ts';

/** What a session does besides building. */
export interface FlowOptions {
  readonly land: boolean;
  /** Called when the process is about to end without waiting for what is still open; writes the result. */
  readonly onForced: (outcome: RunOutcome) => void;
}

/**
 * Builds, shows how it goes, and lands once at the end. Never throws for what happens to the run: the outcome tells.
 * The session is closed.
 */
export async function runToEnd(
  host: Host,
  output: Output,
  session: RunSession,
  interrupts: Interrupts,
  options: FlowOptions,
): Promise<RunOutcome> {
  const { projection: state, store } = session;
  const progress = startProgress(host, output, state);
  progress.notice(`The run is kept in ${store}`);
  const files: LandedFile[] = [];
  const unsubscribe = session.subscribe((event) => {
    if (event.type === 'landing.file') files.push(event.file);
    progress.event(event);
  });
  interrupts.tell({
    onFirst: () => {
      progress.notice('Stopping; Ctrl-C again ends at once.');
    },
    onForced: () => {
      progress.stop();
      options.onForced(outcomeOf(session, 'interrupted', undefined, options.land, files));
    },
  });
  let status: RunStatus = 'failed';
  let error: unknown;
  let replaced: string | undefined;
  try {
    status = await session.drive(interrupts.signal);
    if (options.land && mayLand(status, state) && !hasLanded(state)) {
      ({ replaced } = await session.land({ approve: [] }));
    }
  } catch (caught) {
    error = caught;
  }
  error = await closeAfter(session, unsubscribe, progress, error);
  interrupts.tell(undefined);
  const outcome = outcomeOf(session, status, error, options.land, files);
  return replaced === undefined ? outcome : { ...outcome, replaced };
}

/** Gives everything back; the first error is the one that counts. */
async function closeAfter(
  session: RunSession,
  unsubscribe: () => void,
  progress: Progress,
  error: unknown,
): Promise<unknown> {
  unsubscribe();
  progress.stop();
  try {
    await session.close();
    return error;
  } catch (caught) {
    return error ?? caught;
  }
}

function outcomeOf(
  session: RunSession,
  status: RunStatus,
  error: unknown,
  wantsLanding: boolean,
  files: readonly LandedFile[],
): RunOutcome {
  const { projection: state, store } = session;
  const outcome = { status, state, store, wantsLanding, landed: hasLanded(state), files };
  return error === undefined ? outcome : { ...outcome, error };
}

/** Writes what a run came to, and returns the exit code. */
export function report(host: Host, output: Output, outcome: RunOutcome, json: boolean): number {
  const problem = writeSummary(host, output, outcome);
  if (json) output.json(resultJson(outcome, problem));
  return exitCode(outcome);
}

/** For people. Returns the line on what went wrong, if something did. */
export function writeSummary(host: Host, output: Output, outcome: RunOutcome): string | undefined {
  const problem = problemText(host, outcome);
  if (problem !== undefined) output.problem(problem);
  for (const line of summaryLines(outcome, host.invocation)) output.line(line);
  return problem?.split('\n', 1)[0];
}

function problemText(host: Host, outcome: RunOutcome): string | undefined {
  const { invocation } = host;
  if (outcome.error === undefined) {
    const missing = shortfall(outcome, invocation);
    return missing && `swarmwright: ${missing}`;
  }
  return errorText(outcome.error, {
    invocation,
    store: outcome.store,
    workspace: outcome.state.options?.workspace,
    debug: isDebug(host),
  });
}

export function isDebug(host: Host): boolean {
  return Boolean(host.environment['SWARMWRIGHT_DEBUG']);
}
