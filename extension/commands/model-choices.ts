import { l10n, QuickPickItemKind, type QuickPickItem } from 'vscode';
import type { HostModelInfo } from '#protocol/host-models.ts';
import type { ModelPrice } from '#protocol/model-price.ts';
import { isProviderName, parseModelChoice, providers, type ProviderInfo } from '#protocol/providers.ts';
import type { EditorModels } from '../editor-models/editor-models.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import type { Configuration } from '../setup/configuration.ts';
import type { KeyStore } from '../setup/key-store.ts';
import { readingCost, tokensOf } from './price-estimate.ts';

/** What an item of the list of models stands for. */
export interface ModelItem extends QuickPickItem {
  readonly choice?: string;
  /** A name is still to be typed. */
  readonly provider?: ProviderInfo;
  /** Its key is still to be set. */
  readonly needsKey?: boolean;
  /** Where its server is must still be said. */
  readonly needsAddress?: boolean;
  /** The role is played by the playbook, or done by the planner's model. */
  readonly none?: true;
}

export interface ModelOffers {
  /** Used before, or set. The first is the one that is proposed. */
  readonly remembered: readonly string[];
  /** Characters of the specification, for the estimate; undefined when it cannot be read yet. */
  readonly characters: number | undefined;
  /** What stands for no model of its own. */
  readonly none?: string;
}

/** Models that can be chosen here and now: own providers, and those of the editor. */
export class ModelChoices {
  readonly #keys: KeyStore;
  readonly #thread: RuntimeThread;
  readonly #editorModels: EditorModels;

  constructor(keys: KeyStore, thread: RuntimeThread, editorModels: EditorModels) {
    this.#keys = keys;
    this.#thread = thread;
    this.#editorModels = editorModels;
  }

  async items(configuration: Configuration, offers: ModelOffers): Promise<readonly ModelItem[]> {
    const [environment, editorModels] = await Promise.all([
      this.#keys.environment(),
      this.#editorModels.list(),
    ]);
    const usable = Object.values(providers).filter((provider) =>
      isUsable(provider, configuration, environment),
    );
    const examples = usable
      .filter(({ needsKey }) => needsKey === 'always')
      .map(({ name, exampleModel }) => `${name}/${exampleModel}`);
    const known = [...new Set([...offers.remembered, ...examples])];
    const prices = await this.#prices(known.filter(isPricedByItself), configuration);
    const priced = (choice: string): ModelItem => {
      const description = priceText(prices[choice], offers.characters);
      const provider = providerOf(choice);
      if (provider && lacksKey(provider, environment)) {
        return {
          label: choice,
          choice,
          provider,
          needsKey: true,
          description: `${keyMark()}; ${description}`,
        };
      }
      if (provider && lacksAddress(provider, configuration)) {
        return { label: choice, choice, provider, needsAddress: true, description: addressMark() };
      }
      return { label: choice, choice, description };
    };
    return [
      ...(offers.none === undefined ? [] : [{ label: offers.none, none: true } as const]),
      ...group(l10n.t('Used before'), offers.remembered.map(priced)),
      ...group(
        l10n.t('Models of VS Code'),
        editorModels.filter(({ choice }) => !offers.remembered.includes(choice)).map(editorItem),
      ),
      ...group(l10n.t('Own providers'), [
        ...examples.filter((choice) => !offers.remembered.includes(choice)).map(priced),
        ...usable.map((provider) => ({ label: l10n.t('A model of {0}…', provider.label), provider })),
        ...addressless(configuration),
      ]),
      ...group(l10n.t('With a key'), keyless(configuration, environment)),
    ];
  }

  async #prices(
    choices: readonly string[],
    { baseUrls }: Configuration,
  ): Promise<Readonly<Record<string, ModelPrice>>> {
    if (choices.length === 0) return {};
    return this.#thread.api.prices({ choices, baseUrls, environment: await this.#keys.environment() });
  }

  /** Whether the price of each is known, so that a budget in dollars can be kept. */
  async arePriced(choices: readonly string[], configuration: Configuration): Promise<boolean> {
    const prices = await this.#prices(choices, configuration);
    return choices.every((choice) => Object.hasOwn(prices, choice));
  }
}

function group(label: string, items: readonly ModelItem[]): readonly ModelItem[] {
  return items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
}

function hasKey(provider: ProviderInfo, environment: Readonly<Record<string, string>>): boolean {
  return provider.keyVariable !== undefined && environment[provider.keyVariable] !== undefined;
}

function providerOf(choice: string): ProviderInfo | undefined {
  const name = parseModelChoice(choice)?.provider;
  return name !== undefined && isProviderName(name) ? providers[name] : undefined;
}

/** It cannot be used before its key is set. */
function lacksKey(provider: ProviderInfo, environment: Readonly<Record<string, string>>): boolean {
  return provider.needsKey === 'always' && !hasKey(provider, environment);
}

/** It cannot be reached before the user has said where it is. */
function lacksAddress({ needsBaseUrl, name }: ProviderInfo, { baseUrls }: Configuration): boolean {
  return needsBaseUrl && baseUrls[name] === undefined;
}

function addressMark(): string {
  return `$(globe) ${l10n.t('needs an address')}`;
}

function keyMark(): string {
  return `$(key) ${l10n.t('needs a key')}`;
}

function isUsable(
  provider: ProviderInfo,
  configuration: Configuration,
  environment: Readonly<Record<string, string>>,
): boolean {
  if (provider.format === 'host' || lacksAddress(provider, configuration)) return false;
  return !lacksKey(provider, environment);
}

function addressless(configuration: Configuration): readonly ModelItem[] {
  return Object.values(providers)
    .filter((provider) => lacksAddress(provider, configuration))
    .map((provider) => ({
      label: l10n.t('A model of {0}…', provider.label),
      description: addressMark(),
      provider,
      needsAddress: true,
    }));
}

function keyless(
  configuration: Configuration,
  environment: Readonly<Record<string, string>>,
): readonly ModelItem[] {
  return Object.values(providers)
    .filter((provider) => provider.needsKey === 'always' && !isUsable(provider, configuration, environment))
    .map((provider) => ({
      label: l10n.t('A model of {0}…', provider.label),
      description: keyMark(),
      provider,
      needsKey: true,
    }));
}

/** Whether no server needs to be asked: a list must not wait for one. */
function isPricedByItself(choice: string): boolean {
  const provider = providerOf(choice);
  return provider !== undefined && provider.format !== 'openai-chat';
}

function editorItem({ choice, label, maxInputTokens }: HostModelInfo): ModelItem {
  return {
    label,
    choice,
    description: choice,
    detail: l10n.t(
      '{0} tokens of context; its vendor limits how many agents it can serve',
      maxInputTokens.toLocaleString(),
    ),
  };
}

function priceText(price: ModelPrice | undefined, characters: number | undefined): string {
  if (price === undefined) return l10n.t('price unknown');
  const perMillion = l10n.t('${0} in, ${1} out per million tokens', price.input, price.output);
  if (characters === undefined) return perMillion;
  const cost = readingCost(characters, price);
  const reading =
    cost < 0.01
      ? l10n.t('estimate: under $0.01 each time it reads the specification')
      : l10n.t('estimate: ${0} each time it reads the specification', cost.toFixed(2));
  return `${perMillion}; ${reading}`;
}

/** One line on the size of a specification. */
export function sizeText(characters: number): string {
  return l10n.t('about {0} tokens', tokensOf(characters).toLocaleString());
}
