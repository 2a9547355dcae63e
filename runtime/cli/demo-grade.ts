import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProcessSpec } from '#edges/processes.ts';
import { countRecords, gradeSuite, type SuiteFile, type SuiteGrade } from '#grading/grade.ts';
import { LineEngine } from '#grading/line-engine.ts';
import { bubblewrapArguments, commandEnvironment } from '#sandbox/bubblewrap.ts';
import { bubblewrapVersion, guardedEntries } from '#sandbox/bubblewrap-launcher.ts';
import { detectToolchains, systemPath } from '#sandbox/toolchains.ts';
import { copyFolder } from './copy-folder.ts';
import { CliError } from './errors.ts';
import type { Host } from './host.ts';
import { oneLine } from './text.ts';

/** The held-out records, read before anything is built: whoever builds has no way to them. */
export interface DemoSuite {
  readonly files: readonly SuiteFile[];
  readonly records: number;
}

export interface DemoGrade {
  readonly passed: number;
  readonly total: number;
  /** What to tell people. */
  readonly lines: readonly string[];
}

/** What `skipif` and `onlyif` of the suite know the engine by. */
const engineName = 'minisql';
/** The first answer waits for Node to start, on a machine that may be busy. */
const limits = { milliseconds: 10_000, answerLength: 1_000_000 };
const shownFailures = 5;

/** @throws CliError `demo-missing`, GradingError `malformed-suite` */
export async function loadDemoSuite(host: Host, folder: string): Promise<DemoSuite> {
  const { fileSystem } = host.edges;
  let files: SuiteFile[];
  try {
    const names = (await fileSystem.readDirectory(folder))
      .map((entry) => entry.name)
      .filter((name) => name.endsWith('.test'));
    files = await Promise.all(
      names.toSorted().map(async (name) => {
        const bytes = await fileSystem.readFile(join(folder, name));
        return { name, text: new TextDecoder().decode(bytes) };
      }),
    );
  } catch (error) {
    throw new CliError('demo-missing', 'the suite cannot be read', { path: folder }, error);
  }
  if (files.length === 0) throw new CliError('demo-missing', 'the suite has no files', { path: folder });
  return { files, records: countRecords(files, engineName) };
}

export interface GradeRequest {
  readonly suite: DemoSuite;
  /** The folder that holds the built program. */
  readonly workspace: string;
  /** How the program is started in it. */
  readonly engine: readonly string[];
  readonly unsandboxed: boolean;
}

/**
 * Grades what has landed, on a copy: the program may write where it runs, and the output is the user's. When the
 * signal aborts, the program is ended and what it had not answered counts as failed.
 */
export async function gradeDemo(host: Host, request: GradeRequest, signal: AbortSignal): Promise<DemoGrade> {
  const { fileSystem, randomness } = host.edges;
  const folder = join(tmpdir(), `swarmwright-grade-${randomness.hex(8)}`);
  try {
    await fileSystem.makeDirectory(folder);
    await fileSystem.chmod(folder, 0o700);
    const program = join(folder, 'program');
    await copyFolder(fileSystem, request.workspace, program);
    const spec = await programSpec(host, program, request);
    const graded = await gradeSuite(request.suite.files, engineName, () => {
      const child = host.edges.processes.start(spec);
      if (signal.aborted) child.kill();
      signal.addEventListener('abort', () => {
        child.kill();
      });
      return new LineEngine(child, host.edges.scheduler, limits);
    });
    return { passed: graded.passed, total: graded.total, lines: gradeLines(graded, request.unsandboxed) };
  } finally {
    await fileSystem.remove(folder);
  }
}

/** The same sandbox as commands of agents run in; without one the same bare environment. */
async function programSpec(
  host: Host,
  program: string,
  { engine, unsandboxed }: GradeRequest,
): Promise<ProcessSpec> {
  const { fileSystem, processes } = host.edges;
  const [name = 'node', ...args] = engine;
  if (unsandboxed) {
    const path = [dirname(process.execPath), ...systemPath];
    return { file: name, args, cwd: program, env: commandEnvironment(path, program, tmpdir()) };
  }
  const toolchains = await detectToolchains(fileSystem, process.execPath, [], []);
  const sandboxed = bubblewrapArguments({
    version: await bubblewrapVersion(processes),
    toolchains,
    checkout: program,
    files: new Map(),
    guarded: await guardedEntries(fileSystem),
    command: [name, ...args],
  });
  return { file: 'bwrap', args: sandboxed, cwd: '/', env: commandEnvironment(toolchains.path) };
}

function gradeLines(graded: SuiteGrade, unsandboxed: boolean): string[] {
  const failures = graded.files
    .flatMap(({ name, failures: list }) => list.map((failure) => ({ name, ...failure })))
    // What failed by itself is worth more than what only hangs on it.
    .toSorted((left, right) => Number(isUnproven(left.problem)) - Number(isUnproven(right.problem)))
    .map(({ name, line, problem }) => `  ${name}:${line}: ${oneLine(problem)}`);
  const how = unsandboxed ? 'not sandboxed' : 'in the sandbox';
  return [
    `Grade: ${graded.passed} of ${graded.total} records of the held-out suite passed (${how}).`,
    ...failures.slice(0, shownFailures),
    ...(failures.length > shownFailures ? [`  … ${failures.length - shownFailures} more`] : []),
  ];
}

function isUnproven(problem: string): boolean {
  return problem.startsWith('unproven:');
}
