/**
 * `npm run bench -- ui [--json]`: what the extension costs in VS Code (bench-ui.ts).
 *
 * `npm run bench -- demo [--runs N] [--json]`: how long the demo takes, from the start of its process to its end, set-up
 * and build not included. With --json the last line is one object; times are seconds of wall clock.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface DemoRun {
  readonly seconds: number;
  readonly status: string;
}

const goalSeconds = 20;

async function runDemo(): Promise<DemoRun> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const start = performance.now();
    const child = spawn('node', ['dist/cli.js', 'demo', '--json', '--output', join(folder, 'output')], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, SWARMWRIGHT_STATE: join(folder, 'state') },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const seconds = (performance.now() - start) / 1000;
    return { seconds, status: statusOf(output) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statusOf(output: string): string {
  const last: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? 'null');
  if (typeof last !== 'object' || last === null || !('status' in last))
    throw new Error('the demo printed no object');
  return String(last.status);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
});
const [what = 'demo'] = positionals;
if (what === 'ui') {
  const { benchUi } = await import('./bench-ui.ts');
  await benchUi(values.json);
  process.exit();
}
if (what !== 'demo') {
  console.error(`there is no benchmark "${what}"; there are demo and ui.`);
  process.exit(2);
}
const runs: DemoRun[] = [];
for (let count = 0; count < Number(values.runs); count += 1) {
  const run = await runDemo();
  runs.push(run);
  if (!values.json) console.log(`demo ${count + 1}: ${run.seconds.toFixed(1)} s, ${run.status}`);
}
const seconds = runs.map((run) => run.seconds);
const result = {
  demo_s: Number(median(seconds).toFixed(2)),
  demo_worst_s: Number(Math.max(...seconds).toFixed(2)),
  goal_s: goalSeconds,
  runs: runs.length,
  all_green: runs.every((run) => run.status === 'green'),
  cores: cpus().length,
};
console.log(
  values.json
    ? JSON.stringify(result)
    : `median ${result.demo_s} s, worst ${result.demo_worst_s} s of ${result.runs} (goal: under ${goalSeconds} s), ${result.all_green ? 'all green' : 'NOT all green'}`,
);
