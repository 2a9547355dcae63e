import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A Node of the system that cannot run main.js; undefined where there is none. */
function findOldNode(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/bin', '/usr/bin'];
  return folders
    .map((folder) => join(folder, 'node'))
    .find((node) => {
      const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
      return /^v(?:20|21|22|23)\./u.test(stdout ?? '');
    });
}

/** Stands for the program: says what started it, and stays when it is told to. */
const program = `
  import { endWithLauncher } from '#cli/parent-pipe.ts';
  endWithLauncher(process.env);
  const major = Number(process.versions.node.split('.')[0]);
  const parentVariable = process.env['SWARMWRIGHT_PARENT_FD'];
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(130));
  console.log(JSON.stringify({ pid: process.pid, major, args: process.argv.slice(2), parentVariable }));
  if (process.argv.includes('stay')) setInterval(() => undefined, 1000);
  else process.exitCode = 7;
`;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swarmwright-launcher-'));
  mkdirSync(join(folder, 'bare'));
  const shared = { bundle: true, format: 'esm', platform: 'node', absWorkingDir: root } as const;
  const main = { contents: program, resolveDir: root, loader: 'ts', sourcefile: 'program.ts' } as const;
  await build({ ...shared, stdin: main, outfile: join(folder, 'dist/main.js'), target: 'node24' });
  for (const target of ['dist/cli.js', 'bare/dist/cli.js']) {
    await build({
      ...shared,
      entryPoints: ['runtime/cli/launcher.ts'],
      outfile: join(folder, target),
      target: 'node20',
    });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly launcher: ChildProcess;
  readonly said: { readonly pid: number; readonly major: number; readonly args: readonly string[] };
}

async function start(node: string, ...args: readonly string[]): Promise<Started> {
  const launcher = spawn(node, [join(folder, 'dist/cli.js'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    launcher.stdout?.once('data', (data: Buffer) => {
      resolve(data.toString());
    }),
  );
  return { launcher, said: JSON.parse(line) };
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  return new Promise((resolve) => child.once('exit', resolve));
}

/** PID 1 of a container may leave zombies, which signals still reach: the state tells. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const oldNode = findOldNode();
if (oldNode === undefined) console.warn('launcher: no Node older than 24 here, so its tests are skipped');

describe.skipIf(oldNode === undefined)('started by an older Node', () => {
  const node = oldNode ?? '';

  it('runs the program under the Node 24 that npm brought, with its arguments and exit code', async () => {
    const { launcher, said } = await start(node, 'build', '--flag', 'a b');
    expect(said).toMatchObject({ args: ['build', '--flag', 'a b'] });
    expect(said).not.toHaveProperty('parentVariable');
    expect(said.major).toBeGreaterThanOrEqual(24);
    expect(await exitOf(launcher)).toBe(7);
  });

  it('passes SIGTERM and SIGINT on', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { launcher, said } = await start(node, 'stay');
      launcher.kill(signal);
      expect(await exitOf(launcher)).toBe(130);
      expect(isRunning(said.pid)).toBe(false);
    }
  });

  it.runIf(process.platform === 'linux')('takes the program with it when it is killed', async () => {
    const { launcher, said } = await start(node, 'stay');
    expect(isRunning(said.pid)).toBe(true);
    launcher.kill('SIGKILL');
    await vi.waitFor(() => {
      expect(isRunning(said.pid)).toBe(false);
    }, 5_000);
  });

  it('says in one line what is missing where there is no Node 24', () => {
    const { status, stderr } = spawnSync(node, [join(folder, 'bare/dist/cli.js')], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^swarmwright needs Node 24 or newer [^\n]+\n$/u);
  });
});

it('runs the program in the same process under Node 24', async () => {
  const { launcher, said } = await start(process.execPath);
  expect(said.pid).toBe(launcher.pid);
  expect(await exitOf(launcher)).toBe(7);
});
