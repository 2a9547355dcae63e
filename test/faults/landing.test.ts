import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultCaps, type BuildRequest } from '#protocol/requests.ts';
import { openStoredRun, type OwnedRun } from '#swarm/run-access.ts';
import type { LandingReview } from '#swarm/landing-review.ts';
import { realEdges } from '#swarm/testing/small-run.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { buildCommands, usersFile, wordTools } from './example.ts';
import { undisturbed } from './kills.ts';
import { everything } from './reviewed.ts';
import { noDamage, readOutcome, type Outcome } from './outcome.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let whole: Outcome;
beforeAll(async () => {
  whole = (await undisturbed(buildCommands(wordTools))).outcome;
});

const programs = {
  whole: new URL('./dying-run.ts', import.meta.url),
  review: new URL('./dying-review.ts', import.meta.url),
};

/** Ends by the signal that the run sends to itself. */
async function dieWhileLanding(
  project: Project,
  step: string,
  count: number,
  when: string,
  program: keyof typeof programs = 'whole',
): Promise<void> {
  const request: BuildRequest = {
    specPath: wordTools.spec,
    workspace: project.path('workspace'),
    store: project.path('store'),
    models: {},
    playbook: wordTools.playbook,
    verify: wordTools.verify,
    caps: defaultCaps,
    land: program === 'whole',
    unsandboxed: true,
    environment: {},
  };
  const args = [fileURLToPath(programs[program]), JSON.stringify(request), step, String(count), when];
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

/** The review of the run, as a window opens it after the kill. */
async function reopened(
  project: Project,
): Promise<AsyncDisposable & { readonly run: OwnedRun; readonly review: LandingReview }> {
  const run = await openStoredRun(project.path('store'), realEdges);
  const review = run.review((error) => {
    throw error;
  });
  await review.start();
  return {
    run,
    review,
    [Symbol.asyncDispose]: async () => {
      await review.stop();
      await run.close();
    },
  };
}

describe('a review that is killed between an intent and its result is consistent when it is opened again', () => {
  it.each([
    ['before the first file is written', 'writeFile', 1, 'before'],
    ['when a file is written beside its place', 'writeFile', 3, 'after'],
    ['when a file is in its place, and nobody has noted it', 'rename', 3, 'after'],
    ['when the last file is in its place', 'rename', 8, 'after'],
  ])('%s', async (_, step, count, when) => {
    await using project = await Project.create(usersFile);
    await dieWhileLanding(project, step, count, when, 'review');
    await using again = await reopened(project);
    const { run, review } = again;
    const { landing } = run.projection.review;
    expect(run.projection.review.intents.size).toBe(0);
    const written = step === 'rename' ? count : Math.max(0, count - 1);
    const accepted = [...(landing?.files.values() ?? [])].filter(({ state }) => state === 'accepted');
    expect(accepted).toHaveLength(written);
    await review.accept(everything(run.projection, 'second'));
    const landed = await readOutcome(project.path('store'), project.path('workspace'));
    expect(landed.result.workspace).toEqual(whole.result.workspace);
    // What was accepted before the kill is undone as one, and what came after it too.
    for (const { decision } of run.projection.review.decisions.toReversed()) await review.undo(decision);
    const undone = await readOutcome(project.path('store'), project.path('workspace'));
    expect(Object.keys(undone.result.workspace)).toEqual(['src/mine.txt']);
  });
});
