import type { Role } from '#protocol/tasks.ts';
import { isRecord, readModels } from './build-arguments.ts';

/** What "Resume" can be told, by a button of a message, a keybinding or a test. */
export interface ResumeArguments {
  /** The folder of the run's store; else the run that is shown, or one that the user picks. */
  readonly store?: string;
  readonly models?: Partial<Record<Role, string>>;
  readonly budgetUsd?: number;
  /** Ask for these before going on. */
  readonly choose?: 'models' | 'budget';
}

/** What is not understood is left out: the run then goes on as it was. */
export function parseResumeArguments(given: unknown): ResumeArguments {
  if (!isRecord(given)) return {};
  const { store, models, budgetUsd, choose } = given;
  const choices = models === undefined ? undefined : readModels(models);
  return {
    ...(typeof store === 'string' && store !== '' ? { store } : {}),
    ...(typeof choices === 'object' ? { models: choices } : {}),
    ...(typeof budgetUsd === 'number' && Number.isFinite(budgetUsd) && budgetUsd > 0 ? { budgetUsd } : {}),
    ...(choose === 'models' || choose === 'budget' ? { choose } : {}),
  };
}
