import { describe, expect, it, vi } from 'vitest';
import type { CommandEnd } from '../command-line/command.ts';
import { greeterBuild, greeterFiles } from '../command-line/greeter.ts';
import { inProcess } from '../command-line/in-process.ts';
import { sleepersFor } from '../command-line/processes.ts';
import { Project } from '../command-line/project.ts';
import { expectOneLine } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

async function asProcess(project: Project, args: readonly string[]): Promise<CommandEnd> {
  return project.run(args);
}

/** Nothing lands, the run is kept, and what was built can be looked at. */
async function expectNotGreen(
  project: Project,
  end: CommandEnd,
  words: readonly (RegExp | string)[],
): Promise<void> {
  expectOneLine(end, ['trunk does not verify', 'nothing was landed', / log --store \S+store`/u, ...words]);
  expect(end.stdout).toContain('Partial: nothing was landed.');
  expect(await project.workspace()).toEqual({ 'mine.txt': '644 mine\n' });
  const status = await inProcess(project, ['status', '--store', 'store', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({
    status: 'partial',
    commits: 1,
    green: null,
    landed_files: 0,
  });
  expectOneLine(await inProcess(project, ['land', '--store', 'store']), ['nothing can land yet', 'verify']);
}

describe('a verify command stops the landing, and nothing is lost, when it', () => {
  it.each([
    ['fails', asProcess, 'exit 3', ['`exit 3` ended with 3']],
    ['is no program', inProcess, 'no-such-program', ['`no-such-program` ended with 127']],
    ['is no shell command', inProcess, 'if then', [/`if then` ended with 2/u]],
    ['is ended by a signal', inProcess, 'kill -9 $$', [/was ended by a signal|ended with 137/u]],
    ['floods its output', asProcess, 'yes', ['`yes` wrote more than a command may']],
    [
      'floods its output with one line',
      inProcess,
      'cat /dev/zero',
      ['`cat /dev/zero` wrote more than a command may'],
    ],
  ])('%s', async (_, build, verify, words) => {
    await using project = await Project.create(greeterFiles());
    await expectNotGreen(project, await build(project, [...greeterBuild, '--verify', verify]), words);
  });

  it('hangs: it is ended with all that it started', async () => {
    await using project = await Project.create(greeterFiles());
    // Ten minutes pass in 1.5 s.
    const mark = `6${process.pid}`;
    const verify = `sleep ${mark} & setsid sleep ${mark}`;
    const end = await inProcess(project, [...greeterBuild, '--verify', verify], { factor: 400 });
    await expectNotGreen(project, end, [/did not end within/u]);
    expect(await sleepersFor(mark)).toEqual([]);
  });

  it('is empty', async () => {
    await using project = await Project.create(greeterFiles());
    expectOneLine(
      await inProcess(project, [...greeterBuild, '--verify', '']),
      ['--verify', 'must not be empty'],
      2,
    );
  });
});

it('a verify command that failed for a reason of its own is run again by `resume`, and what passes lands', async () => {
  await using project = await Project.create(greeterFiles());
  const verify = `test -e ${project.path('ready')}`;
  expect((await project.run([...greeterBuild, '--unsandboxed', '--verify', verify])).code).toBe(1);
  await project.write('ready', '');
  expect(await inProcess(project, ['resume', '--store', 'store'])).toMatchObject({ code: 0, stderr: '' });
  expect(Object.keys(await project.workspace())).toEqual(['greet.mjs', 'mine.txt']);
});

it('what a failed verify command wrote last can be read in the log', async () => {
  await using project = await Project.create(greeterFiles());
  await inProcess(project, [...greeterBuild, '--verify', 'echo the reason is here; false']);
  expect((await inProcess(project, ['log', '--store', 'store', '--json'])).stdout).toContain(
    'the reason is here',
  );
});
