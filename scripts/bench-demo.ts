import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './median.ts';

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

/**
 * How long the demo takes, from the start of its process to its end, set-up and build not included. Seconds of wall
 * clock.
 */
export async function benchDemo(json: boolean, count: number): Promise<void> {
  const runs: DemoRun[] = [];
  for (let index = 0; index < count; index += 1) {
    const run = await runDemo();
    runs.push(run);
    if (!json) console.log(`demo ${index + 1}: ${run.seconds.toFixed(1)} s, ${run.status}`);
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
    json
      ? JSON.stringify(result)
      : `median ${result.demo_s} s, worst ${result.demo_worst_s} s of ${result.runs} (goal: under ${goalSeconds} s), ${result.all_green ? 'all green' : 'NOT all green'}`,
  );
}
