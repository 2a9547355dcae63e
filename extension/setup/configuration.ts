import { workspace, type Uri } from 'vscode';
import { isProviderName, type ProviderName } from '#protocol/providers.ts';
import { settings, type SettingKey } from '#protocol/settings.ts';
import type { Role } from '#protocol/tasks.ts';

const section = 'swarmwright';

/** What the user has set, for a folder. What is of the wrong kind is as if it were not set. */
export interface Configuration {
  readonly models: Readonly<Partial<Record<Role, string>>>;
  /** Absent is no cap. */
  readonly budgetUsd: number | undefined;
  readonly maxTokens: number | undefined;
  readonly maxMinutes: number | undefined;
  readonly maxTasks: number;
  readonly maxDepth: number;
  readonly concurrency: number;
  /** Absent when it is empty. */
  readonly verify: string | undefined;
  readonly playbook: string | undefined;
  readonly baseUrls: Readonly<Partial<Record<ProviderName, string>>>;
  readonly toolchains: readonly string[];
}

export function readConfiguration(folder: Uri | undefined): Configuration {
  const values = workspace.getConfiguration(section, folder);
  const read = (key: SettingKey): unknown => values.get<unknown>(key);
  const text = (key: SettingKey): string | undefined => {
    const value = read(key);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const cap = (key: SettingKey): number | undefined => {
    const value = read(key);
    if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
    return settings[key].kind === 'whole' ? Math.max(1, Math.floor(value)) : value;
  };
  const roles = { planner: text('models.planner'), worker: text('models.worker') };
  const resolver = text('models.resolver');
  return {
    models: Object.fromEntries(
      Object.entries({ ...roles, resolver }).filter(([, choice]) => choice !== undefined),
    ),
    budgetUsd: cap('budgetUsd'),
    maxTokens: cap('maxTokens'),
    maxMinutes: cap('maxMinutes'),
    maxTasks: cap('maxTasks') ?? settings.maxTasks.default,
    maxDepth: cap('maxDepth') ?? settings.maxDepth.default,
    concurrency: cap('concurrency') ?? settings.concurrency.default,
    verify: text('verifyCommand'),
    playbook: text('playbook'),
    baseUrls: addresses(read('baseUrls')),
    toolchains: texts(read('toolchains')),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function addresses(value: unknown): Partial<Record<ProviderName, string>> {
  if (typeof value !== 'object' || value === null) return {};
  const found: Partial<Record<ProviderName, string>> = {};
  for (const [name, address] of Object.entries(value)) {
    if (isProviderName(name) && typeof address === 'string' && address !== '') found[name] = address;
  }
  return found;
}
