import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { buildArguments, minisql, usersFile, wordTools, type Example } from './example.ts';
import { noDamage, readOutcome, type Outcome } from './outcome.ts';

vi.setConfig({ testTimeout: 600_000 });

async function build(example: Example): Promise<{ readonly project: Project; readonly outcome: Outcome }> {
  const project = await Project.create(usersFile);
  expect(await project.run(buildArguments(example))).toMatchObject({ code: 0 });
  return { project, outcome: await readOutcome(project.path('store'), project.path('workspace')) };
}

it.each([wordTools, minisql])(
  'a run of $title that was recorded comes out the same when its playbook is played',
  async (example) => {
    const first = await build(example);
    await using recordedFrom = first.project;
    const { code, stdout } = await inProcess(
      recordedFrom,
      'playbook record --store store --output recorded --json'.split(' '),
    );
    expect(code).toBe(0);
    const recorded: {
      readonly file: string;
      readonly concurrency: number;
      readonly notes: readonly string[];
    } = JSON.parse(stdout);
    expect(recorded.notes).toEqual([]);
    const check = await inProcess(recordedFrom, ['playbook', 'check', recorded.file]);
    expect(check).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('none is missing, none is unused'),
    });

    const playbook = join(recordedFrom.folder, 'recorded', 'playbook.yaml');
    const second = await build({ ...example, playbook });
    await using _ = second.project;
    expect(second.outcome.result).toEqual(first.outcome.result);
    expect(second.outcome.damage).toEqual(noDamage);
  },
);
