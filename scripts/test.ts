/**
 * `npm test`: every check and every suite, all of them also when one fails. Each check counts as one passed or failed,
 * a suite with its cases. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bubblewrap, ensurePrograms, git, vscodePrograms } from './system-programs.ts';

interface Check {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const checks: readonly Check[] = [
  { name: 'build', command: ['npm', 'run', '-s', 'build'] },
  { name: 'types', command: ['npm', 'run', '-s', 'typecheck'] },
  { name: 'lint', command: ['npm', 'run', '-s', 'lint'] },
  { name: 'format', command: ['npm', 'run', '-s', 'format:check'] },
  { name: 'unused code', command: ['npm', 'run', '-s', 'unused'] },
  {
    name: 'playbook of the example',
    command: ['node', 'dist/cli.js', 'playbook', 'check', 'examples/minisql/playbook.yaml'],
  },
  { name: "code of the example's playbook", command: ['npm', 'run', '-s', 'minisql:assemble'] },
];

/** The exit code, and what was written; `show` passes it on as it comes. */
async function execute(
  command: Check['command'],
  show: boolean,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve({ code: null, output: String(error) });
    });
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}

async function runCheck({ name, command }: Check): Promise<Counts> {
  const start = performance.now();
  const { code, output } = await execute(command, false);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
  if (code === 0) return { passed: 1, failed: 0 };
  console.log(output.trimEnd());
  return { passed: 0, failed: 1 };
}

/** Cases are counted by the suite, into the file that COUNTS names. A runner that fails without saying so is one failure. */
async function runSuite(script: string): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'swarmwright-test-'));
  try {
    const file = join(folder, 'counts.json');
    const { code } = await execute(['npm', 'run', '-s', script], true, { COUNTS: file });
    const counts = readCounts(file);
    if (counts === undefined) return { passed: 0, failed: 1 };
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The suites in a real VS Code: inside its extension host, then on its workbench. */
async function runSuitesInVscode(): Promise<readonly Counts[]> {
  if (process.env['SWARMWRIGHT_SKIP_HOST_TESTS'] === '1') {
    console.log('skipped  the suites in VS Code, as SWARMWRIGHT_SKIP_HOST_TESTS says');
    return [];
  }
  const there = await ensurePrograms(vscodePrograms);
  if (there.length < vscodePrograms.length) {
    console.log(
      'FAILED  the suites in VS Code cannot run here; SWARMWRIGHT_SKIP_HOST_TESTS=1 leaves them out',
    );
    return [{ passed: 0, failed: 1 }];
  }
  return [await runSuite('test:host'), await runSuite('test:ui')];
}

function readCounts(file: string): Counts | undefined {
  try {
    const counts: { passed: number; failed: number } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: counts.passed, failed: counts.failed };
  } catch {
    return undefined;
  }
}

await ensurePrograms([bubblewrap, git]);
const counts: Counts[] = [];
for (const check of checks) counts.push(await runCheck(check));
counts.push(await runSuite('test:unit'));
counts.push(...(await runSuitesInVscode()));
const passed = counts.reduce((sum, each) => sum + each.passed, 0);
const failed = counts.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
