import { describe, expect, it } from 'vitest';
import { helpText } from './help.ts';
import { parseCommandLine } from './options.ts';
import { commandSchemas, isCommandName } from './schemas.ts';

function problem(...args: string[]): string {
  try {
    parseCommandLine(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error(`accepted: ${args.join(' ')}`);
}

describe('build', () => {
  it('takes every flag of its table', () => {
    const command = parseCommandLine(
      [
        'build spec.md --workspace w --playbook p.yaml --model planner=openai/gpt-5 --model worker=openai/a/b',
        '--base-url http://127.0.0.1:1/v1 --budget-usd 1.5 --max-tasks 9 --max-depth 2 --max-tokens 1000',
        '--max-minutes 0.5 --concurrency 3 --toolchain /opt/a --toolchain b --store s --no-land --unsandboxed --json',
      ]
        .join(' ')
        .split(' ')
        .concat('--verify', 'node --test'),
    );
    expect(command).toEqual({
      kind: 'build',
      spec: 'spec.md',
      workspace: 'w',
      store: 's',
      models: { planner: 'openai/gpt-5', worker: 'openai/a/b' },
      playbook: 'p.yaml',
      baseUrl: 'http://127.0.0.1:1/v1',
      verify: 'node --test',
      caps: { usd: 1.5, tasks: 9, depth: 2, tokens: 1000, minutes: 0.5, concurrency: 3 },
      toolchains: ['/opt/a', 'b'],
      land: false,
      unsandboxed: true,
      json: true,
    });
  });

  it('has caps on the tree, and none on money and time, unless they are named', () => {
    expect(parseCommandLine(['build', 's', '--workspace=w', '--playbook=p'])).toMatchObject({
      caps: { tasks: 200, depth: 6, concurrency: 8 },
      land: true,
      unsandboxed: false,
    });
  });

  it.each([
    [['build', 's', '--workspace', 'w'], 'no model was named: give --model ROLE=PROVIDER/NAME'],
    [['build', 's', '--workspace', 'w'], '--playbook FILE'],
    [['build', '--workspace', 'w'], '`build` needs SPEC'],
    [['build', '', '--workspace', 'w'], '`build` needs SPEC'],
    [['build', 's', '--playbook', 'p'], '--workspace DIR'],
    [['build', 's', '--workspace', '--json'], '--workspace needs a value: --workspace DIR'],
    [['build', 's', '--workspace='], '--workspace must not be empty'],
    [['build', 's', '--max-taks', '3'], 'no option --max-taks; did you mean --max-tasks?'],
    [['build', 's', '-x'], 'no option -x'],
    [['build', 's', '--json=yes'], '--json takes no value'],
    [['build', 's', 't', '--workspace', 'w'], 'takes no argument "t"'],
    [['build', 's', '--model', 'planner=a/b', 'worker=a/b'], 'write --model before each role'],
  ])('says what is wrong with %j', (args, expected) => {
    expect(problem(...args)).toContain(expected);
  });

  it.each(['planner', 'planner=', 'planner=gpt', 'planner=/gpt', 'boss=a/b', '=a/b'])(
    'refuses the model %j',
    (model) => {
      expect(problem('build', 's', '--workspace', 'w', '--model', model)).toMatch(/^--model /);
    },
  );

  it.each(['0', '-5', '1e3', 'Infinity', 'NaN', '', 'abc', '0x10', '1_000', '9'.repeat(400)])(
    'refuses %j where a number is due',
    (value) => {
      for (const option of ['--budget-usd', '--max-minutes', '--max-tokens', '--concurrency']) {
        expect(problem('build', 's', '--workspace', 'w', option, value)).toContain(`${option} needs a`);
      }
    },
  );

  it('refuses parts of a task or of a token', () => {
    expect(problem('build', 's', '--max-tasks', '1.5')).toBe(
      '--max-tasks needs a whole number above 0, not "1.5"',
    );
  });

  it.each(['ftp://x', 'localhost:8080', 'nonsense'])('refuses the address %j', (url) => {
    expect(problem('build', 's', '--workspace', 'w', '--playbook', 'p', '--base-url', url)).toContain(
      '--base-url needs an address',
    );
  });
});

describe('the other commands', () => {
  it('lets a resumed run have other caps', () => {
    expect(parseCommandLine(['resume', '--store', 's', '--budget-usd', '2'])).toEqual({
      kind: 'resume',
      store: 's',
      models: {},
      caps: { usd: 2 },
      unsandboxed: false,
      json: false,
    });
  });

  it('lands approved paths', () => {
    expect(parseCommandLine(['land', '--approve', 'package.json', '--approve', '.github/x.yml'])).toEqual({
      kind: 'land',
      approve: ['package.json', '.github/x.yml'],
      take: [],
      notes: true,
      json: false,
    });
  });

  it('shows events or one transcript', () => {
    expect(parseCommandLine(['log', '--transcript', 'root/a'])).toMatchObject({ transcript: 'root/a' });
    expect(problem('log', '--events', '--transcript', 'root')).toContain('not both');
  });

  it('knows playbook check and demo', () => {
    expect(parseCommandLine(['playbook', 'check', 'p.yaml'])).toEqual({
      kind: 'playbook check',
      file: 'p.yaml',
      json: false,
    });
    expect(parseCommandLine(['demo'])).toEqual({ kind: 'demo', output: 'demo-output', json: false });
  });

  it('names the command that was most likely meant', () => {
    expect(problem('biuld')).toContain('did you mean `build`?');
    expect(problem('lot')).toContain('did you mean `log`?');
    expect(problem('foo')).toBe('there is no command "foo". See `swarmwright --help`.');
    expect(problem('frobnicate')).toBe('there is no command "frobnicate". See `swarmwright --help`.');
    expect(problem()).toContain('swarmwright --help');
  });
});

describe('help', () => {
  it('is there for the program and for each command', () => {
    expect(parseCommandLine(['--help'])).toEqual({ kind: 'help' });
    for (const name of Object.keys(commandSchemas)) {
      expect(parseCommandLine([...name.split(' '), '--help'])).toEqual({ kind: 'help', command: name });
      expect(helpText(undefined)).toContain(name);
    }
  });

  it('names every option of a command', () => {
    for (const [name, schema] of Object.entries(commandSchemas)) {
      const text = isCommandName(name) ? helpText(name) : '';
      for (const option of Object.keys(schema.options)) expect(text).toContain(`--${option}`);
    }
  });
});
