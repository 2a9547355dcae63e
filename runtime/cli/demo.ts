import { join, resolve } from 'node:path';
import { z } from 'zod';
import { defaultCaps } from '#protocol/requests.ts';
import { resultStatus } from '#protocol/run-outcome.ts';
import { detectSandbox } from '#sandbox/detect-sandbox.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { startRun } from '#swarm/session.ts';
import { type DemoGrade, gradeDemo, loadDemoSuite } from './demo-grade.ts';
import { markOutput, prepareOutput } from './demo-output.ts';
import { CliError } from './errors.ts';
import type { Host } from './host.ts';
import { interruptedCode, type Interrupts, withInterrupts } from './interrupts.ts';
import { sandboxAdvice } from './messages.ts';
import type { DemoCommand } from './options.ts';
import { landingCounts } from './landing-report.ts';
import type { Output } from './output.ts';
import { runToEnd, writeSummary } from './run-flow.ts';
import { noNumbers, rounded, type RunOutcome, runNumbers } from './run-result.ts';
import { runFolders } from './state-folder.ts';
import { oneLine } from './text.ts';

/** `demo.json` of the example, as far as it is needed here; paths are relative to its folder. */
const exampleShape = z.object({
  spec: z.string(),
  playbook: z.string(),
  verify: z.string(),
  concurrency: z.int().positive(),
});

/** How the program that the specification asks for is started. */
const engine = ['node', 'src/main.mjs'];

type Example = z.infer<typeof exampleShape> & { readonly folder: string };

/** `demo`: builds the bundled example with its playbook, and grades what landed with a suite that no agent can see. */
export async function demo(host: Host, output: Output, command: DemoCommand): Promise<number> {
  const start = host.edges.clock.now();
  const seconds = (): number => rounded((host.edges.clock.now() - start) / 1000, 3);
  try {
    return await withInterrupts(host, async (interrupts) =>
      buildAndGrade(host, output, command, interrupts, seconds),
    );
  } catch (error) {
    if (command.json) {
      const grade = { passed: 0, total: 0 };
      output.json({ status: 'failed', ...noNumbers, seconds: seconds(), grade, landed_files: 0 });
    }
    throw error;
  }
}

async function buildAndGrade(
  host: Host,
  output: Output,
  command: DemoCommand,
  interrupts: Interrupts,
  seconds: () => number,
): Promise<number> {
  const { fileSystem, processes } = host.edges;
  const example = await findExample(host);
  const suite = await loadDemoSuite(host, join(host.packageRoot, 'test', 'held-out', 'minisql'));
  const sandbox = await detectSandbox(processes, fileSystem);
  const unsandboxed = sandbox.kind === 'none';
  if (unsandboxed) {
    output.line(
      `No sandbox here (${oneLine(sandbox.reason)}): ${sandboxAdvice}. The demo runs its own, bundled commands without one.`,
    );
  }
  const workspace = resolve(host.cwd, command.output);
  // A playbook that cannot be played must not cost the output of the last demo.
  await loadPlaybook(join(example.folder, example.playbook), fileSystem);
  await prepareOutput(workspace, fileSystem);
  const folders = runFolders(host);
  await folders.forgetLatest(workspace);
  const store = await folders.newStore(workspace);
  const request = {
    specPath: join(example.folder, example.spec),
    playbook: join(example.folder, example.playbook),
    workspace,
    store,
    models: {},
    verify: example.verify,
    caps: { ...defaultCaps, concurrency: example.concurrency },
    land: true,
    unsandboxed,
    environment: host.environment,
  };
  const session = await startRun(request, host.edges);
  await markOutput(workspace, fileSystem);
  // Known only now: a demo that is killed before the folder is marked has done nothing yet, and is started anew.
  await folders.rememberLatest(workspace, store);
  const finish = (outcome: RunOutcome, grade: DemoGrade): number => {
    writeSummary(host, output, outcome);
    for (const line of grade.lines) output.line(line);
    if (command.json) output.json(demoJson(outcome, grade, seconds()));
    return demoExitCode(outcome, grade);
  };
  const ungraded = { passed: 0, total: suite.records, lines: ['Not graded: nothing green has landed.'] };
  const outcome = await runToEnd(host, output, session, interrupts, {
    land: true,
    onForced: (forced) => {
      finish(forced, ungraded);
    },
  });
  if (outcome.status !== 'complete' || !outcome.landed || outcome.error !== undefined) {
    return finish(outcome, ungraded);
  }
  const grade = await gradeDemo(host, { suite, workspace, engine, unsandboxed }, interrupts.signal);
  return finish(interrupts.signal.aborted ? { ...outcome, status: 'interrupted' } : outcome, grade);
}

/** @throws CliError `demo-missing` */
async function findExample(host: Host): Promise<Example> {
  const folder = join(host.packageRoot, 'examples', 'minisql');
  const path = join(folder, 'demo.json');
  try {
    const text = new TextDecoder().decode(await host.edges.fileSystem.readFile(path));
    return { folder, ...exampleShape.parse(JSON.parse(text)) };
  } catch (error) {
    throw new CliError('demo-missing', 'the example cannot be read', { path }, error);
  }
}

function demoExitCode(outcome: RunOutcome, grade: DemoGrade): number {
  if (outcome.status === 'interrupted') return interruptedCode;
  const isGreen = outcome.status === 'complete' && outcome.error === undefined && outcome.landed;
  return isGreen && grade.total > 0 && grade.passed === grade.total ? 0 : 1;
}

/** Exactly the fields of the issue. */
function demoJson(outcome: RunOutcome, grade: DemoGrade, seconds: number): Record<string, unknown> {
  const { state } = outcome;
  const status = resultStatus(outcome.status, state);
  return {
    status: outcome.error !== undefined ? 'failed' : status === 'unverified' ? 'partial' : status,
    ...runNumbers(state),
    seconds,
    grade: { passed: grade.passed, total: grade.total },
    landed_files: landingCounts(outcome.files).changed,
  };
}
