import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TranscriptItem } from '#protocol/transcripts.ts';
import { greeterBuild, writtenPlaybook, type WrittenTurn } from '../command-line/greeter.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { commandAttempts, plantedLinks, readingAttempts, writingAttempts, type Attempt } from './attempts.ts';
import { canaries, leaksIn, suiteFile, suiteFolder } from './canaries.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const workerAttempts = [...commandAttempts, ...readingAttempts, ...writingAttempts];

const spyTask = {
  name: 'spy',
  role: 'worker',
  goal: 'Find out what you will be graded by.',
  scope: ['**'],
  acceptance: ['You know it.'],
};

const turns: readonly WrittenTurn[] = [
  {
    key: 'planner root 1 1',
    calls: [
      ...readingAttempts.map(({ call }) => call),
      { tool: 'plan', args: { wake: 'all', tasks: [spyTask] } },
    ],
  },
  {
    key: 'planner root 1 2',
    calls: [{ tool: 'finish', args: { status: 'done', summary: 'No.', verification: 'not-verified' } }],
  },
  { key: 'worker root/spy 1 1', calls: workerAttempts.map(({ call }) => call) },
  {
    key: 'worker root/spy 1 2',
    calls: [
      { tool: 'finish', args: { status: 'done', summary: 'No.', verification: 'not-verified', title: 'No' } },
    ],
  },
];

let project: Project;
/** Of planner and worker. */
const transcripts = new Map<string, readonly TranscriptItem[]>();

beforeAll(async () => {
  project = await Project.create({
    'spec.md': '# Spy\n\n## Wish\n\nKnow the grade before it is given.\n',
    'playbook.yaml': writtenPlaybook(turns),
    'workspace/notes/mine.md': 'mine\n',
  });
  for (const [name, target] of Object.entries(plantedLinks)) {
    await symlink(target, project.path('workspace', name));
  }
  await mkdir(project.path('home'));
  const end = await project.run(greeterBuild);
  // The link that an agent has moved waits for the user's approval, which is no failure here.
  if (!end.stdout.includes('Complete')) throw new Error(`the agents did not get to the end: ${end.stderr}`);
  for (const task of ['root', 'root/spy']) {
    const { stdout } = await inProcess(project, ['log', '--store', 'store', '--transcript', task, '--json']);
    const lines = stdout.trimEnd().split('\n');
    transcripts.set(
      task,
      lines.map((line): TranscriptItem => JSON.parse(line).item),
    );
  }
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

function resultOf(task: string, attempts: readonly Attempt[], attempt: Attempt): string {
  const results = (transcripts.get(task) ?? []).filter((item) => item.kind === 'tool');
  return results[attempts.indexOf(attempt)]?.text ?? 'there is no result';
}

function expectNothing(task: string, attempts: readonly Attempt[], attempt: Attempt): void {
  const result = resultOf(task, attempts, attempt);
  expect(result).toMatch(attempt.gets);
  expect(leaksIn(result)).toEqual([]);
}

it('the suite is there, and would be noticed', async () => {
  expect(canaries.length).toBeGreaterThan(100);
  expect(leaksIn(await readFile(suiteFile, 'utf8')).length).toBeGreaterThan(10);
  expect(leaksIn(JSON.stringify(await readFile(suiteFile, 'utf8'))).length).toBeGreaterThan(10);
});

describe('a command of a worker gets nothing of the suite by', () => {
  it.each(commandAttempts)('$how', (attempt) => {
    expectNothing('root/spy', workerAttempts, attempt);
  });
});

describe('a tool of a worker gets nothing of the suite:', () => {
  it.each([...readingAttempts, ...writingAttempts])('$how', (attempt) => {
    expectNothing('root/spy', workerAttempts, attempt);
  });
});

describe('a tool of a planner gets nothing of the suite:', () => {
  it.each(readingAttempts)('$how', (attempt) => {
    expectNothing('root', readingAttempts, attempt);
  });
});

it('nothing of it stands in what the agents were told, and nothing was written into it', async () => {
  expect(leaksIn(JSON.stringify([...transcripts]))).toEqual([]);
  expect((await readdir(suiteFolder)).filter((name) => !name.endsWith('.test'))).toEqual([]);
  expect(await readdir(suiteFolder)).not.toContain('planted.test');
});
