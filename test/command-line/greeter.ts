import { stringify } from 'yaml';

/** A turn of a playbook, as it is written. */
export interface WrittenTurn {
  readonly key: string;
  readonly after?: readonly string[];
  readonly calls: readonly WrittenCall[];
}

export interface WrittenCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly expect?: string;
}

const greeterSpec = '# Greeter\n\n## Program\n\n`greet.mjs` prints `hello`.\n';

const greetTask = {
  name: 'greet',
  role: 'worker',
  goal: 'Write greet.mjs.',
  scope: ['greet.mjs'],
  acceptance: ['It prints hello.'],
};

export const planTurn: WrittenTurn = {
  key: 'planner root 1 1',
  calls: [{ tool: 'plan', args: { wake: 'all', tasks: [greetTask] } }],
};

export const closingTurn: WrittenTurn = {
  key: 'planner root 1 2',
  calls: [{ tool: 'finish', args: { status: 'done', summary: 'It greets.', verification: 'unit-tests' } }],
};

export const writeCall: WrittenCall = {
  tool: 'write_file',
  args: { path: 'greet.mjs', content: "console.log('hello');\n" },
};

export const finishCall: WrittenCall = {
  tool: 'finish',
  args: { status: 'done', summary: 'It prints hello.', verification: 'seen-live', title: 'Greet' },
};

export function greetTurn(...calls: readonly WrittenCall[]): WrittenTurn {
  return { key: 'worker root/greet 1 1', calls };
}

/** A planner and a worker; `command` is run before the worker ends. */
export function greeterTurns(command?: string): readonly WrittenTurn[] {
  const ran = command === undefined ? [] : [{ tool: 'run_command', args: { command } }];
  return [planTurn, closingTurn, greetTurn(writeCall, ...ran, finishCall)];
}

export function writtenPlaybook(
  turns: readonly WrittenTurn[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  return stringify({ title: 'Greeter', concurrency: 2, ...more, turns });
}

/** A specification, a playbook that builds it, and a file that the user has in the workspace. */
export function greeterFiles(
  turns: readonly WrittenTurn[] = greeterTurns(),
): Readonly<Record<string, string>> {
  return {
    'spec.md': greeterSpec,
    'playbook.yaml': writtenPlaybook(turns),
    'workspace/mine.txt': 'mine\n',
  };
}

/** The arguments that build it; `--store store` is in them, so that a test knows where to look. */
export const greeterBuild: readonly string[] = [
  'build',
  'spec.md',
  '--workspace',
  'workspace',
  '--playbook',
  'playbook.yaml',
  '--store',
  'store',
];
