import { mkdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { factNames } from '#models/facts.ts';
import { defaultCaps } from '#protocol/requests.ts';
import { startRun } from '#swarm/session.ts';
import { realEdges } from '#swarm/testing/small-run.ts';
import { Project } from '../command-line/project.ts';
import { FactBoard } from '../loopback/fact-board.ts';
import { startLoopbackServer } from '../loopback/server.ts';
import type { Commands, Example } from './example.ts';
import { readOutcome, type Outcome } from './outcome.ts';

/** Whose wire format the turns come in. */
export type ServedProvider = 'anthropic' | 'compatible' | 'openai';

const paths: Readonly<Record<ServedProvider, string>> = {
  anthropic: '/v1/messages',
  compatible: '/v1/chat/completions',
  openai: '/v1/responses',
};

/** What comes out when a provider plays the example's turns over HTTP. */
export async function servedRun(
  example: Example,
  { files }: Commands,
  provider: ServedProvider,
): Promise<Outcome> {
  await using project = await Project.create(files);
  await mkdir(project.path('workspace'), { recursive: true });
  const facts = new FactBoard();
  const playbook = await loadPlaybook(example.playbook, nodeFileSystem);
  const server = await startLoopbackServer({ playbook, facts });
  const model = `${provider}/loopback`;
  const session = await startRun(
    {
      specPath: example.spec,
      workspace: project.path('workspace'),
      store: project.path('store'),
      models: { planner: model, worker: model, resolver: model },
      baseUrl: server.baseUrl,
      verify: example.verify,
      caps: { ...defaultCaps, concurrency: example.concurrency },
      land: true,
      unsandboxed: false,
      environment: { ANTHROPIC_API_KEY: 'any', OPENAI_API_KEY: 'any' },
    },
    realEdges,
  );
  try {
    // The server holds turns back until the facts of the run hold that they wait for.
    session.subscribe(() => {
      const { projection } = session;
      for (const task of projection.tasks.keys()) {
        for (const name of factNames) if (projection.fact(task, name)) facts.put(`${task} ${name}`);
      }
    });
    await session.drive(new AbortController().signal);
    await session.land({ approve: [] });
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set([paths[provider]]));
  } finally {
    await session.close();
    await server.close();
  }
  return await readOutcome(project.path('store'), project.path('workspace'));
}
