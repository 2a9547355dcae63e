import type { Caps } from '#protocol/events.ts';
import { defaultCaps } from '#protocol/requests.ts';
import type { Role } from '#protocol/tasks.ts';
import { type Arguments, nearest, readArguments } from './arguments.ts';
import { CliError } from './errors.ts';
import { type CommandName, commandSchemas, isCommandName } from './schemas.ts';

/** Which run is meant. Paths are as they were typed. */
export interface StoreChoice {
  readonly store?: string;
  readonly workspace?: string;
}

export interface BuildCommand {
  readonly kind: 'build';
  readonly spec: string;
  readonly workspace: string;
  readonly store?: string;
  readonly models: Readonly<Partial<Record<Role, string>>>;
  readonly playbook?: string;
  readonly baseUrl?: string;
  readonly verify?: string;
  readonly caps: Caps;
  readonly toolchains: readonly string[];
  readonly land: boolean;
  readonly unsandboxed: boolean;
  readonly json: boolean;
}

export interface ResumeCommand extends StoreChoice {
  readonly kind: 'resume';
  readonly caps: Partial<Caps>;
  readonly models: Readonly<Partial<Record<Role, string>>>;
  readonly baseUrl?: string;
  readonly verify?: string;
  readonly unsandboxed: boolean;
  readonly json: boolean;
}

export interface InspectCommand extends StoreChoice {
  readonly kind: 'status' | 'conflicts';
  readonly json: boolean;
}

export interface LogCommand extends StoreChoice {
  readonly kind: 'log';
  readonly events: boolean;
  readonly transcript?: string;
  readonly json: boolean;
}

export interface LandCommand extends StoreChoice {
  readonly kind: 'land';
  readonly approve: readonly string[];
  readonly take: readonly string[];
  readonly notes: boolean;
  readonly json: boolean;
}

export interface PlaybookCheckCommand {
  readonly kind: 'playbook check';
  readonly file: string;
  readonly json: boolean;
}

export interface PlaybookRecordCommand extends StoreChoice {
  readonly kind: 'playbook record';
  readonly output: string;
  readonly json: boolean;
}

export interface DemoCommand {
  readonly kind: 'demo';
  readonly output: string;
  readonly json: boolean;
}

export type Command =
  | { readonly kind: 'help'; readonly command?: CommandName }
  | { readonly kind: 'version' }
  | BuildCommand
  | ResumeCommand
  | InspectCommand
  | LogCommand
  | LandCommand
  | PlaybookCheckCommand
  | PlaybookRecordCommand
  | DemoCommand;

/** Reads the arguments after the program's name. @throws CliError `bad-usage` */
export function parseCommandLine(args: readonly string[]): Command {
  const [first, ...rest] = args;
  if (first === undefined) throw new CliError('bad-usage', 'name a command. See `swarmwright --help`.');
  if (first === '--help' || first === '-h' || first === 'help') return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  if (first !== 'playbook') return parseCommand(first, rest);
  const [second, ...others] = rest;
  if (second === undefined || second === '--help' || second === '-h') {
    return { kind: 'help', command: 'playbook check' };
  }
  return parseCommand(`playbook ${second}`, others);
}

function parseCommand(name: string, rest: readonly string[]): Command {
  if (isCommandName(name)) return parsers[name](rest) ?? { kind: 'help', command: name };
  const near = nearest(name, Object.keys(commandSchemas));
  throw new CliError(
    'bad-usage',
    `there is no command "${name}"${near === undefined ? '.' : `; did you mean \`${near}\`?`} See \`swarmwright --help\`.`,
  );
}

type Parser = (args: readonly string[]) => Command | undefined;

const parsers: Readonly<Record<CommandName, Parser>> = {
  build: parseBuild,
  resume: (args) => {
    const given = readArguments('resume', args);
    const verify = given?.text('verify');
    return (
      given && {
        kind: 'resume',
        ...storeChoice(given.text('store'), given.text('workspace')),
        caps: readCaps(given),
        models: readModels(given.list('model')),
        ...readBaseUrl(given.text('base-url')),
        ...(verify === undefined ? {} : { verify }),
        unsandboxed: given.flag('unsandboxed'),
        json: given.flag('json'),
      }
    );
  },
  status: (args) => {
    const given = readArguments('status', args);
    return (
      given && {
        kind: 'status',
        ...storeChoice(given.text('store'), given.text('workspace')),
        json: given.flag('json'),
      }
    );
  },
  conflicts: (args) => {
    const given = readArguments('conflicts', args);
    return (
      given && {
        kind: 'conflicts',
        ...storeChoice(given.text('store'), given.text('workspace')),
        json: given.flag('json'),
      }
    );
  },
  log: parseLog,
  land: (args) => {
    const given = readArguments('land', args);
    return (
      given && {
        kind: 'land',
        ...storeChoice(given.text('store'), given.text('workspace')),
        approve: given.list('approve'),
        take: given.list('take'),
        notes: !given.flag('no-notes'),
        json: given.flag('json'),
      }
    );
  },
  'playbook check': (args) => {
    const given = readArguments('playbook check', args);
    return given && { kind: 'playbook check', file: given.positionals[0] ?? '', json: given.flag('json') };
  },
  'playbook record': (args) => {
    const given = readArguments('playbook record', args);
    if (given === undefined) return undefined;
    const output = given.text('output');
    if (output === undefined) {
      throw new CliError('bad-usage', '`playbook record` needs a folder for the playbook: --output DIR');
    }
    const choice = storeChoice(given.text('store'), given.text('workspace'));
    return { kind: 'playbook record', ...choice, output, json: given.flag('json') };
  },
  demo: (args) => {
    const given = readArguments('demo', args);
    return given && { kind: 'demo', output: given.text('output') ?? 'demo-output', json: given.flag('json') };
  },
};

function parseBuild(args: readonly string[]): BuildCommand | undefined {
  const given = readArguments('build', args);
  if (given === undefined) return undefined;
  const workspace = given.text('workspace');
  if (workspace === undefined) {
    throw new CliError('bad-usage', '`build` needs the folder to build in: --workspace DIR');
  }
  const models = readModels(given.list('model'));
  const playbook = given.text('playbook');
  if (playbook === undefined && Object.keys(models).length === 0) {
    throw new CliError(
      'bad-usage',
      'no model was named: give --model ROLE=PROVIDER/NAME for planner, worker and resolver, or --playbook FILE for scripted turns',
    );
  }
  const store = given.text('store');
  const verify = given.text('verify');
  return {
    kind: 'build',
    spec: given.positionals[0] ?? '',
    workspace,
    models,
    ...(store === undefined ? {} : { store }),
    ...(playbook === undefined ? {} : { playbook }),
    ...(verify === undefined ? {} : { verify }),
    ...readBaseUrl(given.text('base-url')),
    caps: { ...defaultCaps, ...readCaps(given) },
    toolchains: given.list('toolchain'),
    land: !given.flag('no-land'),
    unsandboxed: given.flag('unsandboxed'),
    json: given.flag('json'),
  };
}

function parseLog(args: readonly string[]): LogCommand | undefined {
  const given = readArguments('log', args);
  if (given === undefined) return undefined;
  const transcript = given.text('transcript');
  if (given.flag('events') && transcript !== undefined) {
    throw new CliError('bad-usage', 'give --events or --transcript TASK, not both');
  }
  return {
    kind: 'log',
    ...storeChoice(given.text('store'), given.text('workspace')),
    events: given.flag('events'),
    ...(transcript === undefined ? {} : { transcript }),
    json: given.flag('json'),
  };
}

function storeChoice(store: string | undefined, workspace: string | undefined): StoreChoice {
  return { ...(store === undefined ? {} : { store }), ...(workspace === undefined ? {} : { workspace }) };
}

function readCaps(given: Arguments): Partial<Caps> {
  const caps = {
    usd: given.number('budget-usd'),
    tasks: given.number('max-tasks'),
    depth: given.number('max-depth'),
    tokens: given.number('max-tokens'),
    minutes: given.number('max-minutes'),
    concurrency: given.number('concurrency'),
  };
  return Object.fromEntries(Object.entries(caps).filter(([, value]) => value !== undefined));
}

function readModels(list: readonly string[]): Partial<Record<Role, string>> {
  const models: Partial<Record<Role, string>> = {};
  for (const text of list) {
    const [, role, model] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (role === undefined || model === undefined) {
      throw new CliError('bad-usage', `--model needs ROLE=PROVIDER/NAME, not "${text}"`);
    }
    if (role !== 'planner' && role !== 'worker' && role !== 'resolver') {
      throw new CliError('bad-usage', `--model knows the roles planner, worker and resolver, not "${role}"`);
    }
    if (!/^[^/\s]+\/\S+$/.test(model)) {
      throw new CliError('bad-usage', `--model ${role} needs PROVIDER/NAME, not "${model}"`);
    }
    if (models[role] !== undefined) throw new CliError('bad-usage', `--model ${role} was given twice`);
    models[role] = model;
  }
  return models;
}

function readBaseUrl(text: string | undefined): { baseUrl?: string } {
  if (text === undefined) return {};
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CliError(
      'bad-usage',
      `--base-url needs an address like http://127.0.0.1:8080/v1, not "${text}"`,
    );
  }
  return { baseUrl: text };
}
