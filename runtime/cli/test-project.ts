import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Host } from './host.ts';
import { runCommandLine } from './main.ts';
import { testHost } from './test-host.ts';

export interface CommandRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Turn {
  readonly key: string;
  readonly after?: readonly string[];
  readonly calls: readonly {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly expect?: string;
  }[];
}

/** A folder with a specification and an empty workspace, and what a shell would do in it. */
export class TestProject {
  readonly folder: string;
  readonly #change: Partial<Host>;

  constructor(change: Partial<Host> = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'swarmwright-cli-'));
    this.#change = change;
    mkdirSync(join(this.folder, 'workspace'));
    this.write('spec.md', '# Greeter\n\n## Program\n\n`greet.mjs` prints `hello`.\n');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string | Uint8Array): void {
    writeFileSync(this.path(name), text);
  }

  playbook(name: string, turns: readonly Turn[], concurrency = 2): void {
    this.write(name, stringify({ title: 'Greeter', concurrency, turns }));
  }

  /** Starts a command; its host can be interrupted meanwhile. */
  start(...args: readonly string[]): {
    readonly done: Promise<CommandRun>;
    readonly host: ReturnType<typeof testHost>;
  } {
    const host = testHost({
      cwd: this.folder,
      environment: { SWARMWRIGHT_STATE: this.path('state') },
      ...this.#change,
    });
    const run = async (): Promise<CommandRun> => {
      const code = await runCommandLine(host.host, args);
      return { code, stdout: host.stdout(), stderr: host.stderr() };
    };
    return { done: run(), host };
  }

  async run(...args: readonly string[]): Promise<CommandRun> {
    return this.start(...args).done;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const planned = [
  {
    name: 'greet',
    role: 'worker',
    goal: 'Write greet.mjs',
    scope: ['greet.mjs'],
    acceptance: ['It prints hello.'],
  },
];

/** A planner with one worker, which writes greet.mjs after running `command`. */
export function greeterTurns(command = 'true', text = "console.log('hello');\n"): Turn[] {
  return [
    { key: 'planner root 1 1', calls: [{ tool: 'plan', args: { wake: 'all', tasks: planned } }] },
    {
      key: 'planner root 1 2',
      calls: [
        { tool: 'finish', args: { status: 'done', summary: 'It greets.', verification: 'unit-tests' } },
      ],
    },
    {
      key: 'worker root/greet 1 1',
      calls: [
        { tool: 'write_file', args: { path: 'greet.mjs', content: text } },
        { tool: 'run_command', args: { command } },
        {
          tool: 'finish',
          args: { status: 'done', summary: 'It prints hello.', verification: 'seen-live', title: 'Greet' },
        },
      ],
    },
  ];
}

/** `build` of the project, as far as every test needs it. Commands run plainly: what the sandbox does has its own tests. */
export const buildArgs: readonly string[] = [
  'build',
  'spec.md',
  '--workspace',
  'workspace',
  '--playbook',
  'playbook.yaml',
  '--unsandboxed',
];
