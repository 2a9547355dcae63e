import { settings, type SettingSchema } from '#protocol/settings.ts';

/** One option of a command. `whole` and `number` must be above zero. */
export interface OptionSchema {
  readonly kind: 'flag' | 'text' | 'list' | 'number' | 'whole';
  /** What stands for the value in the help, e.g. `DIR`; flags have none. */
  readonly value?: string;
  readonly says: string;
}

export interface CommandSchema {
  readonly usage: string;
  readonly says: string;
  /** Names of the arguments; all are required. */
  readonly positionals: readonly string[];
  readonly options: Options;
  /** Lines below the options. */
  readonly notes: readonly string[];
}

type Options = Readonly<Record<string, OptionSchema>>;

const allSettings: readonly SettingSchema[] = Object.values(settings);

/** The options of settings, in the words of the settings. */
function settingOptions(...names: readonly string[]): Options {
  return Object.fromEntries(
    names.map((name): readonly [string, OptionSchema] => {
      const setting = allSettings.find(({ option }) => option?.name === name);
      if (setting?.option === undefined) throw new Error(`no setting has the option --${name}`);
      const { option, says } = setting;
      const standard =
        (setting.kind === 'number' || setting.kind === 'whole') && setting.default !== null
          ? ` (default ${setting.default}).`
          : '.';
      return [
        name,
        { kind: option.kind, value: option.value, says: option.says ?? says.replace(/\.$/u, standard) },
      ];
    }),
  );
}

const capOptions = settingOptions(
  'budget-usd',
  'max-tasks',
  'max-depth',
  'max-tokens',
  'max-minutes',
  'concurrency',
);

const storeOptions: Options = {
  store: { kind: 'text', value: 'DIR', says: 'The store of the run (default: the latest of the workspace).' },
  workspace: {
    kind: 'text',
    value: 'DIR',
    says: 'The workspace whose latest run is meant (default: the current folder).',
  },
};

const jsonOption: Options = {
  json: {
    kind: 'flag',
    says: 'Print one JSON object as the last line of stdout; progress goes to stderr.',
  },
};

const jsonOnly: Options = {
  json: { kind: 'flag', says: 'Print JSON instead of text.' },
};

const unsandboxed: Options = {
  unsandboxed: {
    kind: 'flag',
    says: 'Run commands without a sandbox: they can read and change what you can.',
  },
};

const modelOption: Options = {
  model: {
    kind: 'list',
    value: 'ROLE=PROVIDER/NAME',
    says: "The model of a role (planner, worker or resolver). Repeat it for each role; the resolver's is else the planner's.",
  },
};

const serverOptions: Options = {
  'base-url': { kind: 'text', value: 'URL', says: 'Where the provider listens, e.g. a local server.' },
  ...settingOptions('verify'),
};

const exitCodes = [
  'Exit code: 0 complete and landed (or kept from landing, as told); 1 partial, failed, or files that wait; 2 bad arguments; 130 interrupted.',
];

export type CommandName =
  | 'build'
  | 'resume'
  | 'status'
  | 'log'
  | 'conflicts'
  | 'land'
  | 'playbook check'
  | 'playbook record'
  | 'demo';

export const commandSchemas: Readonly<Record<CommandName, CommandSchema>> = {
  build: {
    usage: 'build SPEC --workspace DIR [options]',
    says: 'Build the software that SPEC (a file or folder, .md, .txt or .html) describes, and land it in the workspace.',
    positionals: ['SPEC'],
    options: {
      workspace: { kind: 'text', value: 'DIR', says: 'The folder to build in. Required.' },
      ...modelOption,
      ...settingOptions('playbook'),
      ...serverOptions,
      ...capOptions,
      store: {
        kind: 'text',
        value: 'DIR',
        says: "Where the run is kept: a new or empty folder (default: below the user's state folder).",
      },
      ...settingOptions('toolchain'),
      'no-land': { kind: 'flag', says: 'Build only; land later with `land`.' },
      ...unsandboxed,
      ...jsonOption,
    },
    notes: exitCodes,
  },
  resume: {
    usage: 'resume [--store DIR] [options]',
    says: 'Go on with a run that was interrupted. What is given here replaces what the run was started with.',
    positionals: [],
    options: {
      ...storeOptions,
      ...modelOption,
      ...serverOptions,
      ...capOptions,
      ...unsandboxed,
      ...jsonOption,
    },
    notes: exitCodes,
  },
  status: {
    usage: 'status [--store DIR] [--json]',
    says: 'Show where a run stands, also while it is running.',
    positionals: [],
    options: { ...storeOptions, ...jsonOnly },
    notes: [],
  },
  log: {
    usage: 'log [--store DIR] [--events | --transcript TASK] [--json]',
    says: 'Show what happened in a run.',
    positionals: [],
    options: {
      ...storeOptions,
      events: { kind: 'flag', says: 'Every event, model calls and commands included.' },
      transcript: { kind: 'text', value: 'TASK', says: 'What the agents of a task said and did.' },
      json: { kind: 'flag', says: 'Print one JSON object a line.' },
    },
    notes: [],
  },
  conflicts: {
    usage: 'conflicts [--store DIR] [--json]',
    says: 'List the conflicts of a run, and how each was settled.',
    positionals: [],
    options: { ...storeOptions, ...jsonOnly },
    notes: [],
  },
  land: {
    usage: 'land [--store DIR] [--approve PATH …] [--take PATH …] [--no-notes] [--json]',
    says: 'Land the newest green state in the workspace, never over your own edits.',
    positionals: [],
    options: {
      ...storeOptions,
      approve: {
        kind: 'list',
        value: 'PATH',
        says: 'Let a protected path land (CI files, hooks, package scripts …). Repeat it for each path.',
      },
      take: {
        kind: 'list',
        value: 'PATH',
        says: 'Let the built side land over your own edits of a file, which are kept beside the run. Repeat it for each path.',
      },
      'no-notes': {
        kind: 'flag',
        says: 'Keep the design docs and the Field Guide of the agents in the store.',
      },
      ...jsonOption,
    },
    notes: ['Exit code: 0 landed; 1 files wait or there is nothing to land; 2 bad arguments.'],
  },
  'playbook check': {
    usage: 'playbook check FILE [--json]',
    says: 'Check a playbook: its form, its files, its tools, and its turns.',
    positionals: ['FILE'],
    options: jsonOnly,
    notes: [],
  },
  'playbook record': {
    usage: 'playbook record --output DIR [--store DIR] [--json]',
    says: 'Write a run as a playbook that plays it again, without models.',
    positionals: [],
    options: {
      output: { kind: 'text', value: 'DIR', says: 'A new or empty folder for the playbook. Required.' },
      ...storeOptions,
      ...jsonOnly,
    },
    notes: [
      'Turns are what the agents said; what they depend on is stated as barriers. What cannot be stated is listed.',
      'Keys are taken out of all that a run stores, so a file that held one is played without it.',
    ],
  },
  demo: {
    usage: 'demo [--output DIR] [--json]',
    says: 'Build the example examples/minisql with scripted agents, and grade what comes out.',
    positionals: [],
    options: {
      output: { kind: 'text', value: 'DIR', says: 'Where it is built (default ./demo-output).' },
      ...jsonOption,
    },
    notes: ['Exit code: 0 green and all of the suite passed; 1 not; 2 bad arguments; 130 interrupted.'],
  },
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandSchemas, name);
}
