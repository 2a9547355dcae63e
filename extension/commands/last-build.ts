import type { Memento, WorkspaceFolder } from 'vscode';
import type { Role } from '#protocol/tasks.ts';
import type { Configuration } from '../setup/configuration.ts';
import { isRecord, readModels } from './build-arguments.ts';

/** The answers to the questions of a build, as far as they are given. */
export interface BuildDraft {
  readonly folder: WorkspaceFolder;
  readonly configuration: Configuration;
  spec: string | undefined;
  characters: number | undefined;
  readonly models: Partial<Record<Role, string>>;
  budgetUsd: number | undefined;
  verify: string | undefined;
}

export interface LastBuild {
  readonly spec?: string;
  readonly models: Readonly<Partial<Record<Role, string>>>;
  readonly budgetUsd?: number;
  readonly verify?: string;
}

const lastKey = 'swarmwright.lastBuild';

/** What was chosen in this workspace the last time. */
export function lastBuild(memory: Memento): LastBuild {
  const kept = memory.get<unknown>(lastKey);
  if (!isRecord(kept)) return { models: {} };
  const { spec, models, budgetUsd, verify } = kept;
  const choices = readModels(models);
  return {
    models: typeof choices === 'string' ? {} : choices,
    ...(typeof spec === 'string' ? { spec } : {}),
    ...(typeof budgetUsd === 'number' ? { budgetUsd } : {}),
    ...(typeof verify === 'string' ? { verify } : {}),
  };
}

export async function rememberBuild(memory: Memento, draft: BuildDraft): Promise<void> {
  const { spec, models, budgetUsd, verify } = draft;
  await memory.update(lastKey, { spec, models, budgetUsd, verify });
}
