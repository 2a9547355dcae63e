import { isAbsolute, join } from 'node:path';
import type { BuildPlan } from '../run/run-control.ts';
import type { Configuration } from '../setup/configuration.ts';
import type { BuildArguments } from './build-arguments.ts';

/** What is asked for, what the settings say where nothing is, and a run's own rules, put together. Paths become absolute. */
export function buildPlan(folder: string, asked: BuildArguments, configuration: Configuration): BuildPlan {
  const { maxTokens, maxMinutes, maxTasks, maxDepth, baseUrls, toolchains } = configuration;
  const usd = asked.budgetUsd === undefined ? configuration.budgetUsd : (asked.budgetUsd ?? undefined);
  const verify = asked.verify ?? configuration.verify ?? '';
  const playbook = asked.playbook ?? configuration.playbook ?? '';
  const models = asked.models ?? configuration.models;
  return {
    specPath: absolute(folder, asked.spec),
    workspace: folder,
    models,
    baseUrls,
    caps: {
      tasks: maxTasks,
      depth: maxDepth,
      concurrency: asked.concurrency ?? configuration.concurrency,
      ...(usd === undefined ? {} : { usd }),
      ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
      ...(maxMinutes === undefined ? {} : { minutes: maxMinutes }),
    },
    // What is green is offered for review; nothing lands by itself.
    land: true,
    toolchains,
    ...(verify === '' ? {} : { verify }),
    ...(playbook === '' ? {} : { playbook: absolute(folder, playbook) }),
  };
}

function absolute(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
