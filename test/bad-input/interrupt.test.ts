import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { systemScheduler } from '#edges/scheduler.ts';
import type { Command, CommandEnd } from '../command-line/command.ts';
import { greeterBuild, greeterFiles, greeterTurns } from '../command-line/greeter.ts';
import { greeterServer, servedBuild } from '../command-line/greeter-server.ts';
import { oldNode } from '../command-line/old-node.ts';
import { inProcess } from '../command-line/in-process.ts';
import { sleepersFor } from '../command-line/processes.ts';
import { Project } from '../command-line/project.ts';
import { expectResumes } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const old = await oldNode();
/** Seconds; no other process sleeps as long. */
const naptime = `6${process.pid}`;

/** A build whose worker runs a command that sleeps the first time. */
async function sleepyProject(): Promise<Project> {
  const project = await Project.create({});
  const slept = project.path('slept');
  const turns = greeterTurns(`test -e ${slept} || { touch ${slept}; exec sleep ${naptime}; }`);
  for (const [name, content] of Object.entries(greeterFiles(turns))) await project.write(name, content);
  return project;
}

/** Sends the signal, and expects what a user expects of Ctrl-C. */
async function expectStops(project: Project, command: Command, send: () => void): Promise<CommandEnd> {
  const start = performance.now();
  send();
  const end = await command.end;
  expect(performance.now() - start).toBeLessThan(5000);
  expect(end).toMatchObject({ code: 130, signal: null, stderr: '' });
  expect(await project.workspace()).toEqual({ 'mine.txt': '644 mine\n' });
  expect(await sleepersFor(naptime)).toEqual([]);
  return end;
}

/** Runs the command that the output names, as a user would paste it. */
async function expectPastedResume(project: Project, { stdout }: CommandEnd): Promise<void> {
  const [, line = ''] = /^Go on with: (.+)$/mu.exec(stdout) ?? [];
  expect(line).toMatch(/^node \S+cli\.js resume --store /u);
  const { stderr } = await promisify(execFile)('sh', ['-c', line], {
    cwd: project.folder,
    env: { PATH: process.env['PATH'], HOME: project.path('home'), SWARMWRIGHT_STATE: project.path('state') },
  });
  expect(stderr).toBe('');
  expect(Object.keys(await project.workspace())).toEqual(['greet.mjs', 'mine.txt']);
}

async function untilAsleep(project: Project, command: Command): Promise<void> {
  await command.until(() => project.has('slept'), 'the worker ran no command');
}

describe('a run that is stopped ends within 5 s with 130, says how to go on, and goes on to the whole result', () => {
  it('by Ctrl-C, while a command runs', async () => {
    await using project = await sleepyProject();
    const command = project.start([...greeterBuild, '--unsandboxed']);
    await untilAsleep(project, command);
    const end = await expectStops(project, command, () => {
      command.send('SIGINT');
    });
    await expectPastedResume(project, end);
  });

  it.each<readonly [string, string | undefined, (command: Command) => void]>([
    ['by SIGTERM', process.execPath, (command) => command.send('SIGTERM')],
    ['by SIGHUP', process.execPath, (command) => command.send('SIGHUP')],
    [
      'by a terminal, which tells every process',
      process.execPath,
      (command) => command.sendToGroup('SIGINT'),
    ],
    ["by SIGINT to a system's older Node", old, (command) => command.send('SIGINT')],
    ["by SIGTERM to a system's older Node", old, (command) => command.send('SIGTERM')],
  ])('%s', async (_, node, send) => {
    // Where the system has no older Node, there is nothing to tell.
    if (node === undefined) return;
    await using project = await sleepyProject();
    const command = project.start([...greeterBuild, '--unsandboxed'], { node });
    await untilAsleep(project, command);
    await expectStops(project, command, () => {
      send(command);
    });
    await expectResumes(project);
  });

  it('while trunk is verified, in the sandbox', async () => {
    await using project = await Project.create(greeterFiles());
    const verify = 'test -e greet.mjs || exit 1; sleep 2';
    const command = project.start([...greeterBuild, '--verify', verify]);
    await command.said(/done +root:/u);
    await expectStops(project, command, () => {
      command.send('SIGINT');
    });
    await expectResumes(project);
  });

  it('while a model is waited for', async () => {
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project);
    server.misbehave({ kind: 'no-answer' }, { next: 1 });
    const command = project.start(servedBuild(server.baseUrl));
    await command.until(() => server.requests.length > 0, 'no model was asked');
    await expectStops(project, command, () => {
      command.send('SIGINT');
    });
    await expectResumes(project);
    const events = (await inProcess(project, ['log', '--events', '--store', 'store'])).stdout;
    expect(events).toMatch(/lost +planner root 1 1: aborted; its upper bound stays booked/u);
    await server.close();
  });
});

it('a second Ctrl-C ends the run at once, and it goes on all the same', async () => {
  await using project = await sleepyProject();
  const command = project.start([...greeterBuild, '--unsandboxed', '--json']);
  await untilAsleep(project, command);
  command.send('SIGINT');
  await systemScheduler.sleep(500);
  if (!command.hasEnded) command.send('SIGINT');
  const end = await command.end;
  expect(end.code).toBe(130);
  expect(JSON.parse(end.stdout)).toMatchObject({ status: 'interrupted', landed_files: 0 });
  expect((await inProcess(project, ['resume', '--store', 'store'])).code).toBe(0);
});

it('a run that is stopped before it has begun leaves nothing behind', async () => {
  await using project = await Project.create(greeterFiles());
  const command = project.start(greeterBuild);
  command.send('SIGTERM');
  expect((await command.end).code).not.toBe(0);
  expect(await project.workspace()).toEqual({ 'mine.txt': '644 mine\n' });
  expect(project.has('store')).toBe(false);
});
