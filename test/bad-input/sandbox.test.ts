import { chmod, copyFile, mkdir, readFile, realpath } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { greeterBuild, greeterFiles, greeterTurns } from '../command-line/greeter.ts';
import { Project } from '../command-line/project.ts';
import { expectRefusal } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const programFolders = ['/usr/local/bin', '/usr/bin', '/bin'];

/** What starts a process on a machine whose only programs are `sh`, `touch`, and `bwrap` as it is given. */
async function machine(project: Project, bwrap?: string): Promise<readonly string[]> {
  const programs = project.path('programs');
  await mkdir(programs);
  for (const name of ['sh', 'touch'])
    await copyFile(await realpath(`/bin/${name}`), project.path('programs', name));
  if (bwrap !== undefined) {
    await project.write('programs/bwrap', bwrap);
    await chmod(project.path('programs/bwrap'), 0o755);
  }
  const folders = new Set<string>();
  for (const folder of programFolders.filter((path) => existsSync(path))) folders.add(await realpath(folder));
  const covered = [...folders].flatMap((folder) => ['--bind', programs, folder]);
  return ['bwrap', '--dev-bind', '/', '/', ...covered];
}

describe('without a sandbox nothing is started, and how to get one or do without is said, when bubblewrap', () => {
  it('is not installed', async () => {
    await using project = await Project.create(greeterFiles());
    const end = await project.run(greeterBuild, { within: await machine(project) });
    await expectRefusal(project, end, ['bwrap is not installed', 'install bubblewrap', '--unsandboxed']);
  });

  it('is there and does not work', async () => {
    await using project = await Project.create(greeterFiles());
    const broken =
      '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit\necho bwrap: No permissions >&2\nexit 1\n';
    const end = await project.run(greeterBuild, { within: await machine(project, broken) });
    await expectRefusal(project, end, ['bwrap: No permissions', 'install bubblewrap', '--unsandboxed']);
  });
});

describe('--unsandboxed', () => {
  it('builds, verifies and lands on a machine without a sandbox, and resumes there without being told again', async () => {
    await using project = await Project.create(
      greeterFiles(greeterTurns('touch made-by-command').slice(0, 2)),
    );
    const within = await machine(project);
    const options = [...greeterBuild, '--unsandboxed', '--verify', 'test -s greet.mjs'];
    expect((await project.run(options, { within })).stderr).toContain('has no turn for');
    await project.write(
      'playbook.yaml',
      greeterFiles(greeterTurns('touch made-by-command'))['playbook.yaml'] ?? '',
    );
    const end = await project.run(['resume', '--store', 'store'], { within });
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(end.stdout).toContain('trunk is green');
    expect(Object.keys(await project.workspace())).toEqual(['greet.mjs', 'mine.txt']);
  });

  it('gives commands no variable of the environment, keys least of all', async () => {
    const environment = { OPENAI_API_KEY: 'sk-secret-0123456789', MY_OWN: 'variable' };
    await using project = await Project.create({}, environment);
    const turns = greeterTurns(`env > ${project.path('seen')}`);
    for (const [name, content] of Object.entries(greeterFiles(turns))) await project.write(name, content);
    expect((await project.run([...greeterBuild, '--unsandboxed'])).code).toBe(0);
    const seen = await readFile(project.path('seen'), 'utf8');
    expect(seen).toContain('CI=1');
    expect(seen).not.toMatch(/sk-secret|MY_OWN|SWARMWRIGHT/u);
  });
});
