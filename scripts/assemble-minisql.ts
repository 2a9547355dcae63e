/**
 * `npm run minisql:assemble [-- DIR]`: what the example's playbook builds, without a swarm. Plays the playbook in memory in
 * many orders, runs the commands of its workers and the verify command, and grades the result with the hidden suite. With
 * DIR the files are written there and stay. Exits with 1 unless everything is as it should be.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { SeededRandomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import { gradeSuite, type SuiteGrade } from '#grading/grade.ts';
import { LineEngine } from '#grading/line-engine.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { replayInManyOrders, type ReplayedCommand } from './assemble/replay.ts';
import type { Files } from './assemble/trunk.ts';

const root = resolve(import.meta.dirname, '..');
const example = join(root, 'examples', 'minisql');
const suite = join(root, 'test', 'held-out', 'minisql');
const orders = 50;
const limits = { milliseconds: 10_000, answerLength: 1_000_000 };
// Commands say `node`: they get the one that runs this script.
const environment = {
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
};

const settings = z
  .object({ playbook: z.string(), verify: z.string() })
  .parse(JSON.parse(readFileSync(join(example, 'demo.json'), 'utf8')));

function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function run(command: string, folder: string): { readonly exit: string; readonly output: string } {
  const options = { cwd: folder, env: environment, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, signal, stdout, stderr } = spawnSync('sh', ['-c', command], options);
  return { exit: String(status ?? signal), output: `${stdout}${stderr}`.trimEnd() };
}

/** The problem, if the command ends in another way than its turn expects. */
function checkCommand({ key, command, files, exit }: ReplayedCommand): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'minisql-command-'));
  try {
    writeFiles(folder, files);
    const came = run(command, folder);
    if (exit === undefined || came.exit === exit) return [];
    return [`'${key}': '${command}' ended with ${came.exit}, expected ${exit}\n${came.output}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function gradeIn(folder: string): Promise<SuiteGrade> {
  const files = readdirSync(suite)
    .filter((name) => name.endsWith('.test'))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(suite, name), 'utf8') }));
  const program = { file: process.execPath, args: ['src/main.mjs'], cwd: folder, env: environment };
  return gradeSuite(
    files,
    'minisql',
    () => new LineEngine(nodeProcesses.start(program), systemScheduler, limits),
  );
}

async function assemble(folder: string): Promise<boolean> {
  const playbook = await loadPlaybook(join(example, settings.playbook), nodeFileSystem);
  const random = new SeededRandomness(1);
  const assembly = replayInManyOrders(playbook, orders, () => random.next());
  const { workers, planners, commits, merges, conflicts, commands } = assembly;
  writeFiles(folder, assembly.files);
  const problems = [...assembly.problems, ...commands.flatMap(checkCommand)];
  const verified = run(settings.verify, folder);
  if (verified.exit !== '0') problems.push(`verify ended with ${verified.exit}\n${verified.output}`);
  const grade = await gradeIn(folder);
  for (const file of grade.files) {
    for (const { line, sql, problem } of file.failures) {
      problems.push(`${file.name}:${line}: ${problem}\n  ${sql.replaceAll('\n', '\n  ')}`);
    }
  }
  for (const problem of problems) console.error(problem);
  console.log(
    `${playbook.turns.size} turns, ${workers} workers, ${planners} planners, ${commits} commits of agents, ` +
      `${merges} merged, ${conflicts} conflicts, ${assembly.files.size} files, ${commands.length} commands, ` +
      `the same in ${orders} orders: ${problems.length === 0 ? 'yes' : 'see above'}`,
  );
  for (const { name, passed, total } of grade.files) console.log(`  ${name} ${passed}/${total}`);
  console.log(`${grade.passed}/${grade.total}`);
  return problems.length === 0 && grade.total > 0;
}

const [kept] = process.argv.slice(2);
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'minisql-')) : resolve(kept);
try {
  if (!(await assemble(folder))) process.exitCode = 1;
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
