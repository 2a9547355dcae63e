import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '#edges/clock.ts';
import { nodeFileSystem } from '#edges/file-system.ts';
import { nodeProcesses } from '#edges/processes.ts';
import { systemRandomness } from '#edges/randomness.ts';
import { systemScheduler } from '#edges/scheduler.ts';
import { defaultCaps, type BuildRequest } from '#protocol/requests.ts';
import type { Edges } from '../edges.ts';

export const realEdges: Edges = {
  clock: systemClock,
  randomness: systemRandomness,
  scheduler: systemScheduler,
  fileSystem: nodeFileSystem,
  processes: nodeProcesses,
};

/** A folder with a workspace, a place for a store, a specification and a playbook. */
export interface SmallRun extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  readonly request: BuildRequest;
}

const spec = '# Words\n\n## Greeting\n\nSay hello.\n\n## Parting\n\nSay goodbye.\n';

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** `playbook` is YAML; `files` are put into the workspace before the run. */
export async function smallRun(
  playbook: string,
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly request?: Partial<BuildRequest>;
  } = {},
): Promise<SmallRun> {
  const folder = await mkdtemp(join(tmpdir(), 'swarm-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  await writeFiles(folder, { 'spec.md': spec, 'playbook.yaml': playbook });
  await writeFiles(workspace, options.files ?? {});
  return {
    folder,
    workspace,
    request: {
      specPath: join(folder, 'spec.md'),
      workspace,
      store: join(folder, 'store'),
      models: {},
      playbook: join(folder, 'playbook.yaml'),
      caps: defaultCaps,
      land: true,
      unsandboxed: false,
      environment: {},
      ...options.request,
    },
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
