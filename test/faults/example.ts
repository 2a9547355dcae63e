import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../command-line/build-once.ts';
import type { Project } from '../command-line/project.ts';

/** A specification with a playbook that builds it, in a folder of its own. */
export interface Example {
  readonly title: string;
  readonly spec: string;
  readonly playbook: string;
  readonly verify: string;
  readonly concurrency: number;
}

/** As examples/minisql and test/faults/word-tools hold them: `demo.json` names the rest. */
async function loadExample(title: string, folder: string): Promise<Example> {
  const settings: { spec: string; playbook: string; verify: string; concurrency: number } = JSON.parse(
    await readFile(join(folder, 'demo.json'), 'utf8'),
  );
  const { spec, playbook, verify, concurrency } = settings;
  return { title, spec: join(folder, spec), playbook: join(folder, playbook), verify, concurrency };
}

/** Five workers, one merge, one conflict; built in a second. */
export const wordTools: Example = await loadExample(
  'word tools',
  join(repository, 'test', 'faults', 'word-tools'),
);

/** What `npm run demo` builds. */
export const minisql: Example = await loadExample('minisql', join(repository, 'examples', 'minisql'));

/** How a user builds something and goes on with it. Names are those of a `Project`. */
export interface Commands {
  /** What is there before. */
  readonly files: Readonly<Record<string, string>>;
  /** `attempt` is 1, and rises when a run was killed before there was anything to go on with. */
  start(attempt: number): readonly string[];
  resume(attempt: number): readonly string[];
  store(project: Project, attempt: number): Promise<string>;
}

/** A file that the user has, in a folder that the build writes to as well. */
export const usersFile: Readonly<Record<string, string>> = { 'workspace/src/mine.txt': 'mine\n' };

export function buildCommands(example: Example): Commands {
  return {
    files: usersFile,
    start: (attempt) => buildArguments(example, `store-${attempt}`),
    resume: (attempt) => ['resume', '--store', `store-${attempt}`, '--json'],
    store: async (project, attempt) => project.path(`store-${attempt}`),
  };
}

/** `npm run demo`, into a folder that is not there yet. */
export const demoCommands: Commands = {
  files: {},
  start: () => ['demo', '--output', 'workspace', '--json'],
  resume: () => ['resume', '--workspace', 'workspace', '--json'],
  store: async (project) => {
    const [runs = ''] = await readdir(project.path('state', 'runs'));
    return (await readFile(project.path('state', 'runs', runs, 'latest'), 'utf8')).trim();
  },
};

/** The arguments of a build; names are those of a `Project`. */
export function buildArguments(example: Example, store = 'store'): readonly string[] {
  const { spec, playbook, verify } = example;
  const places = ['--workspace', 'workspace', '--store', store];
  return ['build', spec, ...places, '--playbook', playbook, '--verify', verify, '--json'];
}
