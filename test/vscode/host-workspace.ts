import { join } from 'node:path';
import { repository } from './places.ts';

/** Files of the workspace that the host suites find. */
export const hostWorkspace: Readonly<Record<string, string>> = {
  'README.md': '# A workspace\n',
  'notes/todo.txt': 'nothing\n',
};

/** What the host suites need in their environment. */
export const hostEnvironment: Readonly<Record<string, string>> = {
  SWARMWRIGHT_TEST_PLAYBOOK: join(repository, 'examples/minisql/playbook.yaml'),
};
