import type { Randomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import type { Command, CommandEnd } from '../command-line/command.ts';
import { Project } from '../command-line/project.ts';
import { buildArguments, type Example } from './example.ts';
import { readOutcome, type Outcome } from './outcome.ts';

/** A file that the user has, in a folder that the build writes to as well. */
export const usersFile: Readonly<Record<string, string>> = { 'workspace/src/mine.txt': 'mine\n' };

/** Milliseconds that an undisturbed build takes: until it says where it is kept, and from there on. */
export interface Pace {
  readonly start: number;
  readonly work: number;
}

const begun = /The run is kept in/u;

export async function undisturbed(
  example: Example,
): Promise<{ readonly outcome: Outcome; readonly pace: Pace }> {
  await using project = await Project.create(usersFile);
  const spawned = performance.now();
  const command = project.start(buildArguments(example));
  await command.said(begun);
  const working = performance.now();
  mustBeGreen(await command.end);
  const ended = performance.now();
  const outcome = await readOutcome(project.path('store'), project.path('workspace'));
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
  readonly example: Example;
  readonly pace: Pace;
  readonly count: number;
  readonly randomness: Randomness;
  /** The Node that each session is started with; the one that runs the tests when absent. */
  readonly node?: string;
}

/** Builds the example as often as it takes to kill it `count` times at random moments, and sees each build to its end. */
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

async function killOneRun({ example, pace, count, randomness, node }: KillPlan): Promise<KilledRun> {
  await using project = await Project.create(usersFile);
  const started = node === undefined ? {} : { node };
  let stores = 1;
  let command = project.start(buildArguments(example, `store-${stores}`), started);
  const killed: number[] = [];
  for (;;) {
    const may = killed.length < count;
    const moment = may ? await killAtRandom(command, pace, randomness, killed.length) : undefined;
    if (moment === undefined) {
      const end = await command.end;
      if (!neverBegan(end)) {
        mustBeGreen(end);
        const store = project.path(`store-${stores}`);
        return { outcome: await readOutcome(store, project.path('workspace')), killed };
      }
      stores += 1;
      command = project.start(buildArguments(example, `store-${stores}`), started);
    } else {
      killed.push(moment);
      command = project.start(['resume', '--store', `store-${stores}`, '--json'], started);
    }
  }
}

/** Killed so early that there is nothing to go on with: the resume says to build anew. */
function neverBegan({ code, stderr }: CommandEnd): boolean {
  return code === 1 && /holds no run|was cut off before it began/u.test(stderr);
}

function mustBeGreen({ code, signal, stdout, stderr }: CommandEnd): void {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (code === 0 && last.includes('"status":"green"')) return;
  throw new Error(`the run was to be green, and ended with ${code ?? signal}: ${stderr}\n${stdout}`);
}

/** One kill in five comes while the process is still starting. Undefined when it ended before. */
async function killAtRandom(
  command: Command,
  { start, work }: Pace,
  randomness: Randomness,
  before: number,
): Promise<number | undefined> {
  const early = randomness.next() < 0.2;
  // Each session has less to do than the one before.
  const moment = early ? -start * randomness.next() : work * randomness.next() * 0.9 ** before;
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
