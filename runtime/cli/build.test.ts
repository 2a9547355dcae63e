import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildArgs, type CommandRun, greeterTurns, TestProject } from './test-project.ts';

let project = new TestProject();
beforeEach(() => {
  project.remove();
  project = new TestProject();
  project.playbook('playbook.yaml', greeterTurns());
});
afterEach(() => {
  project.remove();
});

const verify = ['--verify', 'test "$(node greet.mjs)" = hello'];

async function build(...more: readonly string[]): Promise<CommandRun> {
  return project.run(...buildArgs, ...more);
}

function lastJson(text: string): Record<string, unknown> {
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}

function workspaceFiles(): string[] {
  return readdirSync(project.path('workspace'));
}

/** Starts a build whose worker runs a command that sleeps the first time, and waits until that goes on. */
async function startSlowBuild(...more: readonly string[]): Promise<ReturnType<TestProject['start']>> {
  const slept = project.path('slept');
  project.playbook('playbook.yaml', greeterTurns(`test -e ${slept} || { touch ${slept}; sleep 60; }`));
  const started = project.start(...buildArgs, ...more);
  const { host } = started;
  await vi.waitFor(
    () => {
      expect(host.stdout() + host.stderr()).toMatch(/started +root\/greet/u);
      expect(existsSync(slept)).toBe(true);
    },
    { timeout: 20_000 },
  );
  return started;
}

describe('build', () => {
  it('builds, verifies and lands, and says so', async () => {
    const { code, stdout, stderr } = await build(...verify);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(project.path('workspace/greet.mjs'), 'utf8')).toBe("console.log('hello');\n");
    expect(stdout).toContain('playbook model: scripted turns, no model is asked');
    expect(stdout).toMatch(/commit +root\/greet: Greet \(1 file\)/u);
    expect(stdout).toMatch(/Complete: trunk is green .*; 1 file landed in /u);
  });

  it('ends with one JSON object on stdout, and nothing else there', async () => {
    const { code, stdout, stderr } = await build(...verify, '--json');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/commit +root\/greet/u);
    expect(lastJson(stdout)).toMatchObject({
      status: 'green',
      tasks: 2,
      planners: 1,
      workers: 1,
      workers_peak: 1,
      depth: 1,
      commits: 1,
      merges: 0,
      conflicts: { raised: 0, resolved: 0 },
      spend_usd: 0,
      landed_files: 1,
      waiting_files: [],
    });
  });

  it('lands without a verify command too, and calls it unverified', async () => {
    const { code, stdout } = await build();
    expect(code).toBe(0);
    expect(stdout).toContain('Complete but unverified, as there is no verify command; 1 file landed');
  });

  it('does not land what does not verify, and fails', async () => {
    project.playbook('playbook.yaml', greeterTurns('true', "console.log('bye');\n"));
    const { code, stdout } = await build(...verify, '--json');
    expect(code).toBe(1);
    expect(lastJson(stdout)).toMatchObject({ status: 'partial', landed_files: 0 });
    expect(workspaceFiles()).toEqual([]);
  });

  it('only builds with --no-land, and `land` lands it later', async () => {
    const built = await build(...verify, '--no-land');
    expect(built.code).toBe(0);
    expect(built.stdout).toContain('Land it with: swarmwright land --store ');
    expect(workspaceFiles()).toEqual([]);
    const landed = await project.run('land', '--workspace', 'workspace');
    expect(landed).toMatchObject({ code: 0, stdout: '1 file landed (green).\n' });
    expect(workspaceFiles()).toEqual(['greet.mjs']);
  });

  it('waits with a file that the user has changed in the meantime', async () => {
    await build(...verify, '--no-land');
    writeFileSync(project.path('workspace/greet.mjs'), 'mine\n');
    const landed = await project.run('land', '--workspace', 'workspace', '--json');
    expect(landed.code).toBe(1);
    expect(lastJson(landed.stdout)).toMatchObject({
      landed_files: 0,
      waiting_files: [{ path: 'greet.mjs', reason: expect.any(String) }],
    });
    expect(readFileSync(project.path('workspace/greet.mjs'), 'utf8')).toBe('mine\n');
  });
});

it('counts what a landing wrote, and names what the user has made different', async () => {
  await build(...verify);
  const file = project.path('workspace/greet.mjs');
  const again = await project.run('land', '--workspace', 'workspace');
  expect(again.stdout).toBe('0 files landed (green), 1 as it was.\n');
  writeFileSync(file, 'mine\n');
  const landed = await project.run('land', '--workspace', 'workspace', '--json');
  expect(landed.code).toBe(0);
  expect(lastJson(landed.stdout)).toMatchObject({ landed_files: 0, kept_files: ['greet.mjs'] });
  expect((await project.run('land', '--workspace', 'workspace')).stdout).toBe(
    '0 files landed (green).\n1 file of yours differs from what was built, and was left as it is: greet.mjs\n',
  );
  const status = await project.run('status', '--workspace', 'workspace');
  expect(status.stdout).toContain('landed    0 files, 1 kept as you changed it');
  expect(readFileSync(file, 'utf8')).toBe('mine\n');
});

it('says that a playbook is a folder', async () => {
  expect(await project.run('playbook', 'check', 'workspace')).toMatchObject({
    code: 2,
    stderr: 'swarmwright: workspace is a folder: name the file of the playbook in it.\n',
  });
});

describe('looking at a run', () => {
  it('shows status, log, transcript and conflicts', async () => {
    await build(...verify, '--store', 'store');
    const status = await project.run('status', '--workspace', 'workspace', '--json');
    expect(lastJson(status.stdout)).toMatchObject({ status: 'green', active: false, landed_files: 1 });
    expect((await project.run('status', '--store', 'store')).stdout).toMatch(/✓ root +planner +It greets\./u);
    const log = await project.run('log', '--store', 'store', '--events', '--json');
    const events: { type: string }[] = log.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]?.type).toBe('run.created');
    expect(events.at(-1)?.type).toBe('landing.ended');
    const transcript = await project.run('log', '--store', 'store', '--transcript', 'root/greet');
    expect(transcript.stdout).toContain('=== root/greet@1');
    const short = await project.run('log', '--store', 'store', '--transcript', 'greet');
    expect(short.stdout).toBe(transcript.stdout);
    const none = await project.run('log', '--store', 'store', '--transcript', 'reet');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('has no task reet') });
    expect(transcript.stdout).toContain('> run_command {"command":"true"}');
    expect((await project.run('conflicts', '--store', 'store')).stdout).toBe('There were no conflicts.\n');
  });
});

describe('Ctrl-C', () => {
  it('ends within 5 s, says how to resume, and resuming gives the whole result', async () => {
    const { done, host } = await startSlowBuild(...verify);
    const start = Date.now();
    host.interrupt();
    const { code, stdout } = await done;
    expect(Date.now() - start).toBeLessThan(5_000);
    expect(code).toBe(130);
    const [, command] = /Go on with: swarmwright (resume --store \S+)\n/u.exec(stdout) ?? [];
    expect(workspaceFiles()).toEqual([]);
    const resumed = await project.run(...(command ?? '').split(' '));
    expect(resumed.code).toBe(0);
    expect(workspaceFiles()).toEqual(['greet.mjs']);
  });

  it('writes its JSON all the same', async () => {
    const { done, host } = await startSlowBuild('--json');
    host.interrupt();
    const { code, stdout } = await done;
    expect(code).toBe(130);
    expect(lastJson(stdout)).toMatchObject({ status: 'interrupted', landed_files: 0 });
  });

  it('counts what npm passes on of the same key as the same one', async () => {
    const { done, host } = await startSlowBuild();
    host.interrupt();
    host.interrupt();
    expect(host.exits).toEqual([]);
    await done;
  });
});

it('finds a store that another process uses', async () => {
  const { done, host } = await startSlowBuild('--store', 'store');
  const second = await project.run('resume', '--store', 'store');
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^swarmwright: the store \S+ is in use by process \d+: [^\n]+\n$/u);
  expect(lastJson((await project.run('status', '--store', 'store', '--json')).stdout)).toMatchObject({
    status: 'running',
    active: true,
  });
  host.interrupt();
  await done;
  expect(existsSync(join(project.folder, 'store', 'owner.json'))).toBe(false);
});
