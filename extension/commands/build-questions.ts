import { l10n, type Memento, type Uri, type WorkspaceFolder } from 'vscode';
import type { Role } from '#protocol/tasks.ts';
import { readConfiguration, type Configuration } from '../setup/configuration.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import type { BuildArguments } from './build-arguments.ts';
import { askBudget, askVerify, canSpend, confirmBuild } from './build-steps.ts';
import { lastBuild, rememberBuild, type BuildDraft } from './last-build.ts';
import type { ModelChoices } from './model-choices.ts';
import { askModel, type ModelQuestion } from './model-step.ts';
import { takeSteps, type Step, type StepOutcome } from './quick-steps.ts';
import { askSpec } from './spec-step.ts';

export interface QuestionParts {
  readonly choices: ModelChoices;
  readonly thread: RuntimeThread;
  /** Of this workspace. */
  readonly memory: Memento;
}

const roles: readonly Role[] = ['planner', 'worker', 'resolver'];

/** Asks step by step what is to be built, with a way back, and remembers the answers for the next time. */
export class BuildQuestions {
  readonly #parts: QuestionParts;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  /** Undefined when the user has backed out. */
  async ask(folder: WorkspaceFolder, spec: Uri | undefined): Promise<BuildArguments | undefined> {
    const configuration = readConfiguration(folder.uri);
    const last = lastBuild(this.#parts.memory);
    const draft: BuildDraft = {
      folder,
      // The address of a server may be set on the way.
      get configuration() {
        return readConfiguration(folder.uri);
      },
      spec: spec?.fsPath,
      characters: undefined,
      models: {},
      budgetUsd: configuration.budgetUsd ?? last.budgetUsd,
      verify: configuration.verify ?? last.verify,
    };
    await this.#measure(draft);
    const steps: readonly Step[] = [
      ...(spec === undefined ? [this.#specStep(draft)] : []),
      ...roles.map((role) => this.#modelStep(role, draft)),
      {
        ask: async (step, totalSteps) => askBudget(draft, this.#parts.choices, { step, totalSteps }),
        isAsked: () => canSpend(draft),
      },
      { ask: async (step, totalSteps) => askVerify(draft, { step, totalSteps }) },
      { ask: async (step, totalSteps) => confirmBuild(draft, { step, totalSteps }) },
    ];
    if (!(await takeSteps(steps)) || draft.spec === undefined) return undefined;
    if (!canSpend(draft)) draft.budgetUsd = undefined;
    await rememberBuild(this.#parts.memory, draft);
    return {
      folder: folder.uri.fsPath,
      spec: draft.spec,
      models: draft.models,
      budgetUsd: draft.budgetUsd ?? null,
      verify: draft.verify ?? '',
    };
  }

  /** Only the models, for a run that goes on with others. Undefined when the user has backed out. */
  async askModels(
    now: Readonly<Partial<Record<Role, string>>>,
  ): Promise<Partial<Record<Role, string>> | undefined> {
    const models: Partial<Record<Role, string>> = {};
    const steps = roles.map((role): Step => ({
      ask: async (step, totalSteps) => {
        const { memory } = this.#parts;
        const remembered = [now[role], lastBuild(memory).models[role], userConfiguration().models[role]];
        return this.#askModel({
          title: l10n.t('Resume with Other Models'),
          step,
          totalSteps,
          role,
          models,
          configuration: userConfiguration,
          offers: { remembered: distinct(remembered), characters: undefined },
        });
      },
    }));
    return (await takeSteps(steps)) ? models : undefined;
  }

  #specStep(draft: BuildDraft): Step {
    return {
      ask: async (step, totalSteps) => {
        const outcome = await askSpec(draft, { step, totalSteps });
        if (outcome === 'answered') await this.#measure(draft);
        return outcome;
      },
    };
  }

  #modelStep(role: Role, draft: BuildDraft): Step {
    return {
      ask: async (step, totalSteps) => {
        const { configuration, models, characters } = draft;
        const { playbook } = configuration;
        const remembered = [
          models[role],
          lastBuild(this.#parts.memory).models[role],
          configuration.models[role],
        ];
        const none =
          role === 'resolver'
            ? l10n.t("The planner's model")
            : playbook === undefined
              ? undefined
              : l10n.t('The playbook {0}', playbook);
        return this.#askModel({
          title: l10n.t('Build from Spec'),
          step,
          totalSteps,
          role,
          models,
          configuration: () => draft.configuration,
          offers: { remembered: distinct(remembered), characters, ...(none === undefined ? {} : { none }) },
        });
      },
    };
  }

  async #askModel(question: ModelQuestion): Promise<StepOutcome> {
    return askModel(this.#parts.choices, question);
  }

  /** How long the specification is. What is wrong with it is said when the run starts, with its own words. */
  async #measure(draft: BuildDraft): Promise<void> {
    if (draft.spec === undefined) return;
    try {
      draft.characters = (await this.#parts.thread.api.readSpec(draft.spec)).characters;
    } catch {
      draft.characters = undefined;
    }
  }
}

function userConfiguration(): Configuration {
  return readConfiguration(undefined);
}

function distinct(choices: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(choices.filter((choice) => choice !== undefined))];
}
