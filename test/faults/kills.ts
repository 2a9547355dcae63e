import type { Randomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { Command, CommandEnd } from '../command-line/command.ts';
import { Project } from '../command-line/project.ts';
import type { Commands } from './example.ts';
import { readOutcome, type Outcome } from './outcome.ts';

/** Milliseconds that an undisturbed build takes: until it says where it is kept, and from there on. */
interface Pace {
  readonly start: number;
  readonly work: number;
}

const begun = /The run is kept in/u;

export interface Undisturbed {
  readonly outcome: Outcome;
  readonly pace: Pace;
}

export async function undisturbed(commands: Commands): Promise<Undisturbed> {
  await using project = await Project.create(commands.files);
  const spawned = performance.now();
  const command = project.start(commands.start(1));
  await command.said(begun);
  const working = performance.now();
  mustBeGreen(await command.end);
  const ended = performance.now();
  const outcome = await readOutcome(await commands.store(project, 1), project.path('workspace'));
  return { outcome, pace: { start: working - spawned, work: ended - working } };
}

/** A run that was killed again and again, and has ended. */
export interface KilledRun {
  readonly outcome: Outcome;
  /** When it was killed, in milliseconds since its session began to work; negative while it was starting. */
  readonly killed: readonly number[];
}

/** Whom to kill, and when. */
export interface KillPlan {
  readonly commands: Commands;
  readonly pace: Pace;
  readonly count: number;
  readonly randomness: Randomness;
  /** The Node that each session is started with; the one that runs the tests when absent. */
  readonly node?: string;
}

/** Builds as often as it takes to kill it `count` times at random moments, and sees each build to its end. */
export async function killRepeatedly(plan: KillPlan): Promise<readonly KilledRun[]> {
  const runs: KilledRun[] = [];
  let left = plan.count;
  while (left > 0) {
    const run = await killOneRun({ ...plan, count: left });
    runs.push(run);
    left -= run.killed.length;
  }
  return runs;
}

async function killOneRun({ commands, pace, count, randomness, node }: KillPlan): Promise<KilledRun> {
  await using project = await Project.create(commands.files);
  const started = node === undefined ? {} : { node };
  let attempt = 1;
  let command = project.start(commands.start(attempt), started);
  const killed: number[] = [];
  for (;;) {
    const may = killed.length < count;
    const moment = may ? await killAtRandom(command, pace, randomness) : undefined;
    if (moment === undefined) {
      const end = await command.end;
      if (!neverBegan(end)) {
        mustBeGreen(end);
        const store = await commands.store(project, attempt);
        return { outcome: await readOutcome(store, project.path('workspace')), killed };
      }
      attempt += 1;
      command = project.start(commands.start(attempt), started);
    } else {
      killed.push(moment);
      command = project.start(commands.resume(attempt), started);
    }
  }
}

/** Killed so early that there is nothing to go on with: the resume says to build anew. */
function neverBegan({ code, stderr }: CommandEnd): boolean {
  return code === 1 && /holds no run|no run of|was cut off before it began/u.test(stderr);
}

function mustBeGreen({ code, signal, stdout, stderr }: CommandEnd): void {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (code === 0 && last.includes('"status":"green"')) return;
  throw new Error(`the run was to be green, and ended with ${code ?? signal}: ${stderr}\n${stdout}`);
}

/**
 * One kill in five comes while the process is still starting, the others soon enough that a run is killed several times
 * on its way. Undefined when it ended before.
 */
async function killAtRandom(
  command: Command,
  { start, work }: Pace,
  randomness: Randomness,
): Promise<number | undefined> {
  const early = randomness.next() < 0.2;
  const moment = early ? -start * randomness.next() : work * randomness.next() * 0.2;
  if (early) await systemScheduler.sleep(start + moment);
  else {
    await Promise.race([command.said(begun).catch(() => undefined), command.end]);
    await systemScheduler.sleep(moment);
  }
  if (command.hasEnded) return undefined;
  command.send('SIGKILL');
  // Not its end: who resumes does not wait until all that it had started is gone too.
  await command.gone;
  return command.killed ? moment : undefined;
}
