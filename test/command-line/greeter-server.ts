import { nodeFileSystem } from '#edges/file-system.ts';
import type { Price } from '#models/chat-model.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { FactBoard } from '../loopback/fact-board.ts';
import { startLoopbackServer, type LoopbackOptions, type LoopbackServer } from '../loopback/server.ts';
import type { Project } from './project.ts';

/** A provider on this machine that answers with the turns of the project's playbook, which have no barriers. */
export async function greeterServer(
  project: Project,
  options: Partial<Pick<LoopbackOptions, 'apiKey' | 'models'>> = {},
): Promise<LoopbackServer> {
  const playbook = await loadPlaybook(project.path('playbook.yaml'), nodeFileSystem);
  return startLoopbackServer({ playbook, facts: new FactBoard(), ...options });
}

/** Dollars per million tokens. */
export const smallPrice: Price = { input: 100, cachedInput: 10, output: 400 };

/** The arguments of a build that asks a server, as `greeterBuild` those of one that plays a playbook. */
export function servedBuild(baseUrl: string, model = 'compatible/small'): readonly string[] {
  const models = [`planner=${model}`, `worker=${model}`].flatMap((choice) => ['--model', choice]);
  return [
    'build',
    'spec.md',
    '--workspace',
    'workspace',
    '--store',
    'store',
    ...models,
    '--base-url',
    baseUrl,
  ];
}
