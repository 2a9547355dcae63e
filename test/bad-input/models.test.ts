import { describe, expect, it, vi } from 'vitest';
import type { CommandEnd } from '../command-line/command.ts';
import { greeterBuild, greeterFiles } from '../command-line/greeter.ts';
import { greeterServer, servedBuild } from '../command-line/greeter-server.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import type { Misbehaviour } from '../loopback/misbehaviour.ts';
import { expectOneLine, expectRefusal, expectResumes } from './refusal.ts';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

function withModel(choice: string, ...more: readonly string[]): readonly string[] {
  return [...greeterBuild, '--model', choice, ...more];
}

describe('a choice of models is refused, and nothing is started, when', () => {
  it.each([
    [
      'its provider is unknown',
      withModel('worker=nobody/x'),
      ['no provider "nobody"', 'openai', 'compatible'],
      1,
    ],
    ['it names no model of the provider', withModel('worker=openai'), ['PROVIDER/NAME', '"openai"'], 2],
    ['its role is unknown', withModel('poet=openai/x'), ['planner, worker and resolver', '"poet"'], 2],
    [
      'a role has two',
      withModel('worker=openai/x', '--model', 'worker=openai/y'),
      ['--model worker', 'twice'],
      2,
    ],
    [
      'its key is missing, and its server is another machine',
      withModel('worker=compatible/x', '--base-url', 'http://models.example:8080/v1'),
      ['no key for compatible', 'COMPATIBLE_API_KEY'],
      1,
    ],
    ['nobody says where its server is', withModel('worker=compatible/x'), ['--base-url'], 1],
    [
      'the address of its server is none',
      withModel('worker=compatible/x', '--base-url', 'here'),
      ['--base-url', 'http://', '"here"'],
      2,
    ],
  ])('%s', async (_, args, words, code) => {
    await using project = await Project.create(greeterFiles());
    await expectRefusal(project, await inProcess(project, args), words, code);
  });

  it('a role has none', async () => {
    await using project = await Project.create(greeterFiles());
    const args = servedBuild('http://127.0.0.1:9/v1');
    const worker = args.findIndex((word) => word.startsWith('worker='));
    await expectRefusal(project, await inProcess(project, args.toSpliced(worker - 1, 2)), [
      'no model',
      'worker',
      '--model',
      '--playbook',
    ]);
  });

  it('there is neither --model nor --playbook', async () => {
    await using project = await Project.create(greeterFiles());
    const args = greeterBuild.filter((word) => !['--playbook', 'playbook.yaml'].includes(word));
    await expectRefusal(
      project,
      await project.run(args),
      ['--model ROLE=PROVIDER/NAME', '--playbook FILE'],
      2,
    );
  });
});

type Build = (project: Project, args: readonly string[]) => Promise<CommandEnd>;

const asProcess: Build = async (project, args) => project.run(args);
/** A time limit of 60 s, five times, with waits between them. */
const hurried: Build = async (project, args) => inProcess(project, args, { factor: 60 });

/** Builds with a server that misbehaves at the worker's call, and goes on once it behaves. */
async function expectTold(
  build: Build,
  how: Misbehaviour,
  words: readonly (RegExp | string)[],
): Promise<void> {
  await using project = await Project.create(greeterFiles());
  const server = await greeterServer(project);
  try {
    server.misbehave(how, { keys: ['worker root/greet 1 1'] });
    const end = await build(project, servedBuild(server.baseUrl));
    expectOneLine(end, ['compatible/small', ...words]);
    expect(end.stdout).toMatch(/Go on with: .* resume --store /u);
    server.behave();
    await expectResumes(project);
  } finally {
    await server.close();
  }
}

describe('a run whose server fails says so, and goes on once it is mended, when the server', () => {
  it('answers with a page', async () => {
    const body = '<!doctype html><title>Welcome</title><p>It works!';
    await expectTold(asProcess, { kind: 'body', contentType: 'text/html', body }, ['--base-url']);
  });

  it.each<readonly [string, Misbehaviour, readonly (RegExp | string)[]]>([
    [
      'answers with nothing that is JSON',
      { kind: 'body', contentType: 'application/json', body: '{"a' },
      ['--base-url'],
    ],
    [
      'streams garbage',
      { kind: 'body', contentType: 'text/event-stream', body: 'data: {garbage\n\n' },
      ['--base-url'],
    ],
    [
      'streams JSON that is no answer',
      { kind: 'chunks', chunks: [{ object: 'weather', degrees: 21 }] },
      ['--base-url'],
    ],
    [
      'does not know the model',
      { kind: 'status', status: 404, body: '{"error":{"code":"model_not_found"}}' },
      [/does not know the model/u, '--model'],
    ],
    [
      'refuses the request',
      { kind: 'status', status: 400, body: '{"error":{"message":"no tools here"}}' },
      ['no tools here', '--model'],
    ],
    [
      'has no credit left for the account',
      { kind: 'status', status: 429, body: '{"error":{"code":"insufficient_quota"}}' },
      ['no credit', 'resume'],
    ],
  ])('%s', async (_, how, words) => {
    await expectTold(inProcess, how, words);
  });

  it.each<readonly [string, Misbehaviour, readonly (RegExp | string)[]]>([
    ['takes the request and never answers', { kind: 'no-answer' }, ['did not answer in time', 'resume']],
    ['stops in the middle of its answer', { kind: 'stall', after: 3 }, ['did not answer in time', 'resume']],
    ['hangs up in the middle of its answer', { kind: 'reset', after: 3 }, ['broke off', 'resume']],
    ['ends its answer too early', { kind: 'early-end', after: 3 }, ['broke off', 'resume']],
    ['has a fault of its own', { kind: 'status', status: 500 }, ['failed to answer', 'resume later']],
    ['is asked too often', { kind: 'status', status: 429 }, ['so many calls', /--concurrency/u]],
  ])('%s, also when it is asked again', async (_, how, words) => {
    await expectTold(hurried, how, words);
  });

  it('refuses connections', async () => {
    await using project = await Project.create(greeterFiles());
    const gone = await greeterServer(project);
    await gone.close();
    const end = await project.run(servedBuild(gone.baseUrl));
    expectOneLine(end, ['cannot be reached', 'ECONNREFUSED', '--base-url', 'resume']);
    expect(project.has('store')).toBe(true);
    expect(await project.workspace()).toEqual({ 'mine.txt': '644 mine\n' });
  });

  it('does not accept the key, which is not shown', async () => {
    const key = 'sk-wrong-0123456789';
    await using project = await Project.create(greeterFiles());
    const server = await greeterServer(project, { apiKey: 'sk-right-0123456789' });
    const environment = { COMPATIBLE_API_KEY: key };
    const end = await inProcess(project, servedBuild(server.baseUrl), { environment });
    await server.close();
    expectOneLine(end, ['did not accept the key', 'COMPATIBLE_API_KEY']);
    expect(end.stdout + end.stderr).not.toContain(key);
  });
});
