import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { repository } from '../command-line/build-once.ts';
import { Project } from '../command-line/project.ts';
import { usersFile, wordTools } from '../faults/example.ts';
import { noDamage, readOutcome } from '../faults/outcome.ts';
import { startLoopbackProcess } from './loopback-process.ts';

vi.setConfig({ testTimeout: 120_000 });

function build(url: string, workspace: string): readonly string[] {
  const models = ['planner', 'worker', 'resolver'].flatMap((role) => ['--model', `${role}=anthropic/any`]);
  const places = ['--workspace', workspace, '--base-url', url];
  const concurrency = ['--concurrency', String(wordTools.concurrency)];
  return [
    'build',
    wordTools.spec,
    ...places,
    ...models,
    '--verify',
    wordTools.verify,
    ...concurrency,
    '--json',
  ];
}

it('a server in a process of its own plays each run by the newest journal below the state folder', async () => {
  const files = { ...usersFile, 'again/src/mine.txt': 'mine\n' };
  await using project = await Project.create(files, { ANTHROPIC_API_KEY: 'sk-of-this-test' });
  const state = ['--state', project.path('state'), '--api-key', 'sk-of-this-test'];
  await using server = await startLoopbackProcess(['--playbook', wordTools.playbook, ...state]);
  await server.order({
    how: { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
    which: { next: 1 },
  });
  const results: unknown[] = [];
  // The turns have barriers: the facts of the first run must not count in the second.
  for (const workspace of ['workspace', 'again']) {
    const end = await project.run(build(server.url, workspace));
    expect(end).toMatchObject({ code: 0, stderr: expect.any(String) as unknown });
    const { store }: { store: string } = JSON.parse(end.stdout.trim().split('\n').at(-1) ?? '');
    const outcome = await readOutcome(store, project.path(workspace));
    expect(outcome.damage).toEqual(noDamage);
    const released = outcome.events.filter(({ type }) => type === 'call.released');
    expect(released).toHaveLength(workspace === 'workspace' ? 1 : 0);
    results.push(outcome.result);
  }
  expect(results[1]).toEqual(results[0]);
  expect(results[0]).toMatchObject({ conflicts: { raised: 1, resolved: 1, open: 0 } });
});

it('a server in a process of its own ends with the process that started it', async () => {
  await using project = await Project.create({});
  const file = join(repository, 'test', 'loopback', 'serve.ts');
  const args = [file, '--playbook', wordTools.playbook, '--store', project.path('store')];
  const code = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', () => { console.log(child.pid); process.exit(); });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code]);
  const pid = Number(stdout);
  const runs = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(runs, { timeout: 10_000 }).toBe(false);
});
