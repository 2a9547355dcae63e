import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildArgs, type CommandRun, greeterTurns, TestProject } from './test-project.ts';

let project = new TestProject();
beforeEach(() => {
  project.remove();
  project = new TestProject();
  project.playbook('playbook.yaml', greeterTurns());
});
afterEach(() => {
  project.remove();
});

/** The one line on stderr; throws unless the exit code is right and nothing was left behind. */
function refusal(run: CommandRun, code = 1): string {
  const isLine = /^swarmwright: [^\n]+\n$/u.test(run.stderr);
  const left = existsSync(project.path('store')) ? ['store'] : readdirSync(project.path('workspace'));
  if (isLine && run.code === code && left.length === 0) return run.stderr;
  throw new Error(`not refused in one line: ${JSON.stringify({ ...run, left })}`);
}

async function build(...more: readonly string[]): Promise<CommandRun> {
  return project.run(...buildArgs, '--store', 'store', ...more);
}

describe('a specification that cannot be built', () => {
  it('is missing', async () => {
    rmSync(project.path('spec.md'));
    expect(refusal(await build())).toMatch(/no specification at \S+spec\.md: check the path/u);
  });

  it.each([
    ['empty', '', 'holds no specification'],
    ['blank', ' \n\n', 'holds no specification'],
    ['binary', new Uint8Array([0, 255, 254, 0, 1, 2, 3]), 'is not text'],
  ] as const)('is %s', async (_name, content, text) => {
    project.write('spec.md', content);
    expect(refusal(await build())).toMatch(text);
  });

  it('is of another kind', async () => {
    project.write('spec.docx', 'words');
    const [, , ...rest] = buildArgs;
    expect(refusal(await project.run('build', 'spec.docx', ...rest, '--store', 'store'))).toMatch(
      'no .md or .txt file',
    );
  });

  it.skipIf(process.getuid?.() === 0)('may not be read', async () => {
    chmodSync(project.path('spec.md'), 0);
    expect(refusal(await build())).toMatch('cannot be read');
  });
});

describe('models', () => {
  const noPlaybook = ['build', 'spec.md', '--workspace', 'workspace', '--unsandboxed', '--store', 'store'];

  it('are named by nobody', async () => {
    expect(refusal(await project.run(...noPlaybook), 2)).toMatch(/--model .* --playbook/u);
  });

  it('are missing for a role', async () => {
    expect(refusal(await project.run(...noPlaybook, '--model', 'resolver=openai/x'))).toMatch(
      /no model was named for the /u,
    );
  });

  it('are of a provider that does not exist', async () => {
    expect(refusal(await build('--model', 'worker=nobody/x'))).toMatch('there is no provider "nobody"');
  });

  it('need a key, whose variable is named', async () => {
    expect(refusal(await build('--model', 'worker=openai/x'))).toMatch('OPENAI_API_KEY');
  });
});

describe('a playbook', () => {
  it('is missing', async () => {
    rmSync(project.path('playbook.yaml'));
    expect(refusal(await build())).toMatch(/playbook\.yaml.*ENOENT/u);
  });

  it('is malformed, at a line that is named', async () => {
    project.write('playbook.yaml', 'title: X\nconcurrency: 1\nturns:\n  - key: nonsense\n');
    expect(refusal(await build())).toMatch(/playbook\.yaml:4 is malformed/u);
  });

  it('needs more agents at once', async () => {
    expect(refusal(await build('--concurrency', '1'))).toMatch('give --concurrency 2 or more');
  });

  it('lacks a turn: the run fails and can go on once it is there', async () => {
    project.playbook('playbook.yaml', greeterTurns().slice(0, 2));
    const failed = await build();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(
      /^swarmwright: \S+ has no turn for the call "worker root\/greet 1 1": [^\n]+\n$/u,
    );
    expect(failed.stdout).toContain('Go on with: swarmwright resume --store ');
    project.playbook('playbook.yaml', greeterTurns());
    expect((await project.run('resume', '--store', 'store')).code).toBe(0);
  });

  it('expects something else than what came', async () => {
    const turns = greeterTurns();
    const [write, ...others] = turns.at(-1)?.calls ?? [];
    const contradicted = { tool: 'write_file', args: write?.args ?? {}, expect: 'outcome=edited' };
    project.playbook('playbook.yaml', [
      ...turns.slice(0, 2),
      { key: 'worker root/greet 1 1', calls: [contradicted] },
      { key: 'worker root/greet 1 2', calls: others },
    ]);
    const { code, stderr } = await build();
    expect(code).toBe(1);
    expect(stderr).toMatch(/expected "outcome=edited" from write_file .* and "outcome=written[^"]*" came/u);
  });
});

async function storeAt(store: string): Promise<CommandRun> {
  return project.run(...buildArgs, '--store', store);
}

describe('a place that cannot be used', () => {
  it('is a workspace that is missing', async () => {
    const run = await project.run(...buildArgs.with(3, 'nowhere'), '--store', 'store');
    expect(refusal(run)).toMatch(/there is no folder \S+nowhere/u);
  });

  it('is the store itself, inside it, or around it', async () => {
    expect(refusal(await storeAt('workspace'))).toMatch('is both workspace and store');
    expect(refusal(await storeAt('workspace/store'))).toMatch('lies inside the workspace');
    expect(refusal(await storeAt('.'))).toMatch('lies inside the store');
  });

  it('is a store that holds a run or something else', async () => {
    mkdirSync(project.path('full'));
    project.write('full/notes.txt', 'mine');
    expect(refusal(await project.run(...buildArgs, '--store', 'full'))).toMatch(
      'holds files that are no store',
    );
    expect((await project.run(...buildArgs, '--store', 'used')).code).toBe(0);
    const again = await project.run(...buildArgs, '--store', 'used');
    expect(again.stderr).toMatch(/holds a run already: go on with it by `swarmwright resume`/u);
  });

  it('is a store in which nothing is', async () => {
    for (const command of ['resume', 'status', 'log', 'conflicts', 'land']) {
      expect(refusal(await project.run(command, '--store', 'nothing'))).toMatch(/nothing holds no run/u);
      expect(refusal(await project.run(command))).toMatch(/no run of \S+ is known/u);
    }
  });
});

async function ask(url: string): Promise<CommandRun> {
  return build('--model', 'worker=openai/x', '--model', 'planner=openai/x', '--base-url', url);
}

describe('a server that does not answer as it should', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  async function serve(answer: string, code: number): Promise<string> {
    server = createServer((_request, response) => {
      response.writeHead(code, { 'content-type': 'text/html' });
      response.end(answer);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  it('answers garbage', async () => {
    project = new TestProject({ environment: { OPENAI_API_KEY: 'sk-very-secret-key' } });
    project.playbook('playbook.yaml', greeterTurns());
    const { code, stderr } = await ask(await serve('<html>hello</html>', 200));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^swarmwright: [^\n]*--base-url[^\n]*\n$/u);
  });

  it('refuses the key', async () => {
    project = new TestProject({ environment: { OPENAI_API_KEY: 'sk-very-secret-key' } });
    project.playbook('playbook.yaml', greeterTurns());
    const { code, stderr, stdout } = await ask(
      await serve('{"error":{"message":"bad key sk-very-secret-key"}}', 401),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^swarmwright: [^\n]*key[^\n]*\n$/u);
    expect(stderr + stdout).not.toContain('sk-very-secret-key');
  });
});

it('shows the stack only when it is asked to', async () => {
  rmSync(project.path('spec.md'));
  expect((await build()).stderr).not.toContain('    at ');
  const debugged = new TestProject({ environment: { SWARMWRIGHT_DEBUG: '1' } });
  expect(
    (await debugged.run('build', 'none.md', '--workspace', 'workspace', '--playbook', 'p')).stderr,
  ).toContain('    at ');
  debugged.remove();
});

it('writes bad usage as one line, with exit code 2', async () => {
  expect(refusal(await project.run('build', 'spec.md', '--nonsense'), 2)).toMatch('no option --nonsense');
});
