import { providers } from './providers.ts';
import { defaultCaps } from './requests.ts';

/** How the command line takes the value of a setting: `--NAME VALUE`. */
interface SettingOption {
  readonly name: string;
  readonly value: string;
  readonly kind: 'text' | 'list' | 'number' | 'whole';
  /** Where the option is more, or less, than the setting. Absent: the setting's own words. */
  readonly says?: string;
}

/**
 * Where VS Code takes a value from. `machine`: the user's settings of this machine only, so that no repository can send a
 * key to a server of its own, or name programs. `resource`: also a folder's.
 */
type SettingScope = 'machine' | 'machine-overridable' | 'resource';

interface SettingBase {
  /** One sentence for people, without the value that holds when nothing is set. */
  readonly says: string;
  /** What an editor of settings adds, in Markdown. */
  readonly more?: string;
  readonly scope: SettingScope;
  /** True when a folder's value counts only once the folder is trusted. */
  readonly restricted: boolean;
  readonly group: SettingGroup;
  readonly option?: SettingOption;
}

interface TextSetting extends SettingBase {
  readonly kind: 'text';
  readonly default: string;
  /** A regular expression, and what to write instead of what it refuses. */
  readonly pattern?: string;
  readonly hint?: string;
}
interface NumberSetting extends SettingBase {
  readonly kind: 'number' | 'whole';
  readonly default: number;
}
/** Above zero; `null` is no cap. */
interface CapSetting extends SettingBase {
  readonly kind: 'number' | 'whole';
  readonly default: null;
}
/** Absolute paths of folders. */
interface FoldersSetting extends SettingBase {
  readonly kind: 'folders';
  readonly default: readonly string[];
}
/** A base URL by the name of a provider. */
interface AddressesSetting extends SettingBase {
  readonly kind: 'addresses';
  readonly default: Readonly<Record<string, string>>;
}

export type SettingSchema = TextSetting | NumberSetting | CapSetting | FoldersSetting | AddressesSetting;

export interface Settings {
  readonly 'models.planner': TextSetting;
  readonly 'models.worker': TextSetting;
  readonly 'models.resolver': TextSetting;
  readonly budgetUsd: CapSetting;
  readonly maxTasks: NumberSetting;
  readonly maxDepth: NumberSetting;
  readonly maxTokens: CapSetting;
  readonly maxMinutes: CapSetting;
  readonly concurrency: NumberSetting;
  readonly verifyCommand: TextSetting;
  readonly playbook: TextSetting;
  readonly baseUrls: AddressesSetting;
  readonly toolchains: FoldersSetting;
}

export type SettingKey = keyof Settings;

export type SettingGroup = 'models' | 'budget' | 'build' | 'machine';

/** In the order in which they are shown. */
export const settingGroups: Readonly<Record<SettingGroup, string>> = {
  models: 'Models',
  budget: 'Budget and Caps',
  build: 'Build',
  machine: 'This Machine',
};

const model = {
  kind: 'text',
  default: '',
  pattern: String.raw`^$|^[^/\s]+/\S+$`,
  hint: 'Write PROVIDER/NAME, as in openai/gpt-5.4-mini.',
  scope: 'resource',
  restricted: true,
  group: 'models',
} as const;

const cap = { scope: 'resource', restricted: true, group: 'budget' } as const;

const providerNames = Object.values(providers)
  .map(({ name }) => `\`${name}\``)
  .join(', ');

/**
 * Every setting of the product, in the order in which it is shown; VS Code's are `swarmwright.KEY`. Running commands
 * without a sandbox is none of them: a repository could switch it on.
 */
export const settings: Settings = {
  'models.planner': {
    ...model,
    says: 'The model that plans: `PROVIDER/NAME`.',
    more: `Providers are ${providerNames}. Planners are few, and what they decide binds all others: take a strong model.`,
  },
  'models.worker': {
    ...model,
    says: 'The model that does the tasks: `PROVIDER/NAME`.',
    more: 'Workers are many: take one that is good at small tasks and cheap.',
  },
  'models.resolver': {
    ...model,
    says: 'The model that settles conflicts: `PROVIDER/NAME`.',
    more: "When it is empty, the planner's model does.",
  },
  budgetUsd: {
    ...cap,
    kind: 'number',
    default: null,
    says: 'Dollars that the run may spend on models.',
    more: 'A call is made only when the whole of what it may cost is left. It needs models whose price is known. When it is empty, "Build from Spec…" asks.',
    option: { name: 'budget-usd', value: 'N', kind: 'number' },
  },
  maxTasks: {
    ...cap,
    kind: 'whole',
    default: defaultCaps.tasks,
    says: 'Tasks in the tree, the root included.',
    option: { name: 'max-tasks', value: 'N', kind: 'whole' },
  },
  maxDepth: {
    ...cap,
    kind: 'whole',
    default: defaultCaps.depth,
    says: 'Levels below the root.',
    option: { name: 'max-depth', value: 'N', kind: 'whole' },
  },
  maxTokens: {
    ...cap,
    kind: 'whole',
    default: null,
    says: 'Tokens that the run may use.',
    option: { name: 'max-tokens', value: 'N', kind: 'whole' },
  },
  maxMinutes: {
    ...cap,
    kind: 'number',
    default: null,
    says: 'Minutes that the run may take.',
    option: { name: 'max-minutes', value: 'N', kind: 'number' },
  },
  concurrency: {
    ...cap,
    kind: 'whole',
    default: defaultCaps.concurrency,
    says: 'Agents that work at once.',
    option: { name: 'concurrency', value: 'N', kind: 'whole' },
  },
  verifyCommand: {
    kind: 'text',
    default: '',
    scope: 'machine-overridable',
    restricted: true,
    group: 'build',
    says: 'The command that proves a state to be green.',
    more: 'It runs in a sandbox, in a copy of the files. Without one, what lands is called unverified.',
    option: { name: 'verify', value: 'CMD', kind: 'text' },
  },
  playbook: {
    kind: 'text',
    default: '',
    scope: 'resource',
    restricted: true,
    group: 'build',
    says: 'A file of scripted turns, played for the roles without a model.',
    more: 'Its path is relative to the folder.',
    option: {
      name: 'playbook',
      value: 'FILE',
      kind: 'text',
      says: 'Play scripted turns for the roles without a --model.',
    },
  },
  baseUrls: {
    kind: 'addresses',
    default: {},
    scope: 'machine',
    restricted: true,
    group: 'machine',
    says: 'Where a provider listens, by its name, when that is not its own address.',
    more: 'Keys are sent there. As in `{ "ollama": "http://192.168.0.7:11434/v1" }`.',
  },
  toolchains: {
    kind: 'folders',
    default: [],
    scope: 'machine',
    restricted: true,
    group: 'machine',
    says: 'More folders with programs that commands may use.',
    more: 'Absolute paths. Commands see them read-only; what is found on the machine is there already.',
    option: {
      name: 'toolchain',
      value: 'DIR',
      kind: 'list',
      says: 'One more folder with programs that commands may use. Repeat it for each folder.',
    },
  },
};
