import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../command-line/build-once.ts';

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

/** The arguments of a build; names are those of a `Project`. */
export function buildArguments(example: Example, store = 'store'): readonly string[] {
  const { spec, playbook, verify } = example;
  const places = ['--workspace', 'workspace', '--store', store];
  return ['build', spec, ...places, '--playbook', playbook, '--verify', verify, '--json'];
}
