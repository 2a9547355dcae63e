import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultCaps, type BuildRequest } from '#protocol/requests.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { buildCommands, usersFile, wordTools } from './example.ts';
import { undisturbed } from './kills.ts';
import { noDamage, readOutcome, type Outcome } from './outcome.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let whole: Outcome;
beforeAll(async () => {
  whole = (await undisturbed(buildCommands(wordTools))).outcome;
});

/** Ends by the signal that the run sends to itself. */
async function dieWhileLanding(project: Project, step: string, count: number, when: string): Promise<void> {
  const request: BuildRequest = {
    specPath: wordTools.spec,
    workspace: project.path('workspace'),
    store: project.path('store'),
    models: {},
    playbook: wordTools.playbook,
    verify: wordTools.verify,
    caps: defaultCaps,
    land: true,
    unsandboxed: true,
    environment: {},
  };
  const program = fileURLToPath(new URL('./dying-run.ts', import.meta.url));
  const args = [program, JSON.stringify(request), step, String(count), when];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ signal: 'SIGKILL' });
}

describe('a landing that is killed goes on: each file lands once, and nothing is left beside them', () => {
  it.each([
    ['before the first file is written', 'writeFile', 1, 'before'],
    ['when a file is written beside its place', 'writeFile', 3, 'after'],
    ['when a file is in its place, and nobody has noted it', 'rename', 3, 'after'],
    ['when the last file is in its place', 'rename', 8, 'after'],
  ])('%s', async (_, step, count, when) => {
    await using project = await Project.create(usersFile);
    await dieWhileLanding(project, step, count, when);
    const resumed = await inProcess(project, ['resume', '--store', 'store']);
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    const { result, damage } = await readOutcome(project.path('store'), project.path('workspace'));
    expect(result).toEqual(whole.result);
    expect(damage).toEqual(noDamage);
  });
});
