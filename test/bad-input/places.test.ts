import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { greeterBuild, greeterFiles, greeterTurns } from '../command-line/greeter.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { expectOneLine, expectRefusal, expectResumes } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

function withPlaces(places: { readonly workspace?: string; readonly store?: string }): readonly string[] {
  const { workspace = 'workspace', store = 'store' } = places;
  return greeterBuild.with(3, workspace).with(7, store);
}

describe('a workspace is refused, and nothing is started, when it', () => {
  it.each([
    ['is missing', { workspace: 'nowhere' }, ['there is no folder', 'nowhere', '--workspace']],
    ['is a file', { workspace: 'spec.md' }, ['there is no folder', 'spec.md', '--workspace']],
    ['is the store', { store: 'workspace' }, ['is both workspace and store', '--store']],
    ['is the store under another name', { store: 'alias' }, ['is both workspace and store', '--store']],
    ['lies in the store', { store: '.' }, ['lies inside the store', '--store']],
    ['has the store in it', { store: 'workspace/deep/store' }, ['lies inside the workspace', '--store']],
    ['has the store in it, by a link', { store: 'alias/store' }, ['lies inside the workspace', '--store']],
  ])('%s', async (_, places, words) => {
    await using project = await Project.create(greeterFiles());
    await symlink('workspace', project.path('alias'));
    await expectRefusal(project, await project.run(withPlaces(places)), words);
  });

  it('is the home folder, in which the default store would lie', async () => {
    await using project = await Project.create(greeterFiles());
    const environment = { HOME: project.path('workspace'), SWARMWRIGHT_STATE: '' };
    const end = await project.run(greeterBuild.slice(0, 6), { environment });
    await expectRefusal(project, end, ['lies inside the workspace', 'choose a --store outside']);
  });

  it('cannot be written to', async () => {
    await using project = await Project.create(greeterFiles());
    const workspace = project.path('workspace');
    const within = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', workspace, workspace];
    const end = await project.run(greeterBuild, { within });
    await expectRefusal(project, end, [
      workspace,
      'cannot be written to',
      'change its rights',
      '--workspace',
    ]);
  });
});

describe('a store is refused, and nothing is lost, when it', () => {
  it('cannot be made', async () => {
    await using project = await Project.create(greeterFiles());
    await mkdir(project.path('sealed'));
    const sealed = project.path('sealed');
    const within = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', sealed, sealed];
    const end = await project.run(withPlaces({ store: 'sealed/store' }), { within });
    await expectRefusal(project, end, [
      project.path('sealed/store'),
      'cannot be made',
      'choose another folder with --store',
    ]);
  });

  it('is a file, or holds something else', async () => {
    await using project = await Project.create({ ...greeterFiles(), 'photos/sea.jpg': 'blue' });
    const expected = ['choose a new or empty folder with --store'];
    await expectRefusal(project, await inProcess(project, withPlaces({ store: 'spec.md' })), expected);
    await expectRefusal(project, await inProcess(project, withPlaces({ store: 'photos' })), expected);
    expect(project.has('photos/sea.jpg')).toBe(true);
  });

  it('holds a run already, which stays as it is', async () => {
    await using project = await Project.create(greeterFiles());
    expect((await inProcess(project, greeterBuild)).code).toBe(0);
    const before = await project.workspace();
    expectOneLine(await inProcess(project, greeterBuild), ['holds a run already', 'resume', '--store']);
    expect(await project.workspace()).toEqual(before);
    expect((await inProcess(project, ['status', '--store', 'store', '--json'])).stdout).toContain(
      '"status":"unverified"',
    );
  });

  it.each(['resume', 'status', 'log', 'conflicts', 'land'])('holds no run, for `%s`', async (name) => {
    await using project = await Project.create({ ...greeterFiles(), 'photos/sea.jpg': 'blue' });
    expectOneLine(await inProcess(project, [name, '--store', 'photos']), [
      'photos holds no run',
      'check --store',
    ]);
    expectOneLine(await inProcess(project, [name]), ['no run of', '--store DIR', '--workspace DIR']);
  });

  it('is in use: who uses it is named, and that run is not disturbed', async () => {
    await using project = await Project.create(greeterFiles());
    const gate = project.path('gate');
    await project.write(
      'playbook.yaml',
      greeterFiles(greeterTurns(`until test -e ${gate}; do sleep 0.05; done`))['playbook.yaml'] ?? '',
    );
    const first = project.start([...greeterBuild, '--unsandboxed']);
    await first.said(/started +root\/greet/u);
    for (const name of ['resume', 'land']) {
      expectOneLine(await project.run([name, '--store', 'store']), [
        'is in use by process',
        `${first.pid}`,
        'wait for it',
      ]);
    }
    expectOneLine(await inProcess(project, greeterBuild), ['holds a run already', 'resume']);
    expect((await inProcess(project, ['status', '--store', 'store', '--json'])).stdout).toContain(
      '"active":true',
    );
    await project.write('gate', '');
    expect(await first.end).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(await project.workspace())).toEqual(['greet.mjs', 'mine.txt']);
  });
});

it('a workspace that is gone when a run goes on is asked for, and the run goes on once it is back', async () => {
  await using project = await Project.create(greeterFiles(greeterTurns().slice(0, 2)));
  expect((await inProcess(project, greeterBuild)).code).toBe(1);
  const workspace = project.path('workspace');
  const within = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', workspace, workspace];
  const end = await project.run(['resume', '--store', 'store'], { within });
  expectOneLine(end, [workspace, 'cannot be written to']);
  await project.write('playbook.yaml', greeterFiles()['playbook.yaml'] ?? '');
  await expectResumes(project);
});
