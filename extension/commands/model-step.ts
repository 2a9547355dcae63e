import { commands, l10n } from 'vscode';
import type { ProviderInfo } from '#protocol/providers.ts';
import type { Role } from '#protocol/tasks.ts';
import type { Configuration } from '../setup/configuration.ts';
import { askAddress } from './address-step.ts';
import type { ModelChoices, ModelOffers } from './model-choices.ts';
import { inputStep, pickStep, type StepOutcome, type StepPlace } from './quick-steps.ts';

export interface ModelQuestion extends StepPlace {
  readonly role: Role;
  /** The answer goes here. */
  readonly models: Partial<Record<Role, string>>;
  /** As it is by now: an address may be set on the way. */
  readonly configuration: () => Configuration;
  readonly offers: ModelOffers;
}

/** The model of one role: from the list, or a name that is typed. */
export async function askModel(choices: ModelChoices, question: ModelQuestion): Promise<StepOutcome> {
  const { role, models, configuration, offers } = question;
  const items = await choices.items(configuration(), offers);
  const answer = await pickStep({
    ...question,
    placeholder: rolePrompt(role),
    items,
    active:
      items.find(({ choice }) => choice !== undefined && choice === models[role]) ??
      items.find(({ none }) => none === true && role === 'resolver') ??
      items.find(({ choice }) => choice !== undefined && choice === offers.remembered[0]),
  });
  if (answer.kind !== 'answered') return answer.kind;
  const { choice, provider, needsKey, needsAddress, none } = answer.value;
  if (none) {
    delete models[role];
    return 'answered';
  }
  if (needsKey && !(await commands.executeCommand<boolean>('swarmwright.setApiKey', provider?.name))) {
    return askModel(choices, question);
  }
  if (needsAddress && provider) {
    const outcome = await askAddress(question, provider);
    if (outcome !== 'answered') return outcome === 'back' ? askModel(choices, question) : outcome;
  }
  if (choice !== undefined) {
    models[role] = choice;
    return 'answered';
  }
  if (provider === undefined) return askModel(choices, question);
  const name = await typeName(question, provider);
  if (name === 'back') return askModel(choices, question);
  if (name === undefined) return 'backed-out';
  models[role] = `${provider.name}/${name}`;
  return 'answered';
}

async function typeName(place: StepPlace, provider: ProviderInfo): Promise<string | undefined> {
  const { title, step, totalSteps } = place;
  const answer = await inputStep({
    title,
    step,
    totalSteps,
    // There is a way back to the list also in the first step.
    canGoBack: true,
    prompt: l10n.t('The name of the model, as {0} writes it', provider.label),
    placeholder: provider.exampleModel,
    value: '',
    check: (text) => (/^\S+$/u.test(text.trim()) ? undefined : l10n.t('A name without spaces, please.')),
  });
  if (answer.kind === 'back') return 'back';
  return answer.kind === 'answered' ? answer.value.trim() : undefined;
}

function rolePrompt(role: Role): string {
  switch (role) {
    case 'planner':
      return l10n.t('The model of planners: few calls, and all others depend on them');
    case 'worker':
      return l10n.t('The model of workers: many calls, each a small task');
    case 'resolver':
      return l10n.t('The model that settles conflicts');
    default:
      role satisfies never;
      return '';
  }
}
