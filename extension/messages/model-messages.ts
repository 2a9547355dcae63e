import { isProviderName, providers } from '#protocol/providers.ts';
import { resume, showLog, type ErrorFacts, type MessageAction, type Sentences } from './message.ts';

/** The codes of ModelError; a test compares them with the runtime's. */
export type ModelCode =
  | 'auth'
  | 'bad-answer'
  | 'bad-request'
  | 'broken-stream'
  | 'budget'
  | 'context-overflow'
  | 'network'
  | 'no-key'
  | 'no-price'
  | 'overloaded'
  | 'playbook-contradicted'
  | 'playbook-malformed'
  | 'playbook-missing-turn'
  | 'quota'
  | 'rate-limited'
  | 'refused'
  | 'server'
  | 'timeout'
  | 'unknown-model'
  | 'unknown-provider';

const chooseModels: MessageAction = { kind: 'choose-models' };
const baseUrls: MessageAction = { kind: 'open-settings', setting: 'baseUrls' };

function modelOf(facts: ErrorFacts): string {
  return facts.find('model', 'provider', 'choice') ?? 'the model';
}

/** The provider that an error names, by its name or in its model `PROVIDER/NAME`. */
function providerOf(facts: ErrorFacts): string | undefined {
  const named = facts.find('provider', 'model')?.split('/')[0];
  return named !== undefined && isProviderName(named) ? named : undefined;
}

function providerLabel(facts: ErrorFacts): string {
  const name = providerOf(facts);
  return name !== undefined && isProviderName(name) ? providers[name].label : modelOf(facts);
}

function setKey(facts: ErrorFacts): MessageAction {
  const provider = providerOf(facts);
  return provider === undefined ? { kind: 'set-api-key' } : { kind: 'set-api-key', provider };
}

function playbookFile(facts: ErrorFacts): readonly MessageAction[] {
  const path = facts.find('file');
  const line = Number(facts.find('line') ?? Number.NaN);
  if (path === undefined) return [showLog];
  return [{ kind: 'open-file', path, ...(Number.isNaN(line) ? {} : { line }) }];
}

export const modelSentences: Sentences<ModelCode> = {
  auth: (facts, words) =>
    providerOf(facts) === 'vscode'
      ? {
          text: words.t(
            'The model {0} may not be used by Swarmwright: resume, and allow it when you are asked.',
            modelOf(facts),
          ),
          actions: [resume, chooseModels],
        }
      : {
          text: words.t('{0} did not accept the API key: set it again, then go on.', providerLabel(facts)),
          actions: [setKey(facts), resume],
        },
  'no-key': (facts, words) => ({
    text: words.t('{0} needs an API key, and none is set.', providerLabel(facts)),
    actions: [setKey(facts), chooseModels],
  }),
  quota: (facts, words) => ({
    text: words.t(
      'The account of {0} has no credit left: add some there, or choose another model, then resume.',
      modelOf(facts),
    ),
    actions: [resume, chooseModels],
  }),
  'unknown-provider': (facts, words) => ({
    text: words.t(
      'There is no provider "{0}": known are {1}.',
      facts.find('provider') ?? '',
      Object.keys(providers).join(', '),
    ),
    actions: [chooseModels],
  }),
  'unknown-model': (facts, words) => ({
    text: words.t(
      'The model {0} is not there, or no longer: choose another one; the run goes on from where it is.',
      modelOf(facts),
    ),
    actions: [chooseModels],
  }),
  'no-price': (facts, words) => ({
    text: words.t(
      'The price of {0} is not known, so a budget in dollars cannot be kept: leave it empty, and cap tokens instead.',
      modelOf(facts),
    ),
    actions: [{ kind: 'open-settings', setting: 'maxTokens' }, chooseModels],
  }),
  budget: (facts, words) => ({
    text: words.t('The budget is used up ({0}): raise it to go on.', facts.own),
    actions: [{ kind: 'raise-budget' }],
  }),
  'rate-limited': (facts, words) => ({
    text: words.t(
      '{0} refuses so many calls at once: resume later, or let fewer agents work at once.',
      modelOf(facts),
    ),
    actions: [resume, { kind: 'open-settings', setting: 'concurrency' }],
  }),
  overloaded: (facts, words) => ({
    text: words.t('{0} is overloaded and did not answer after several tries: resume later.', modelOf(facts)),
    actions: [resume, chooseModels],
  }),
  server: (facts, words) => ({
    text: words.t('{0} failed to answer several times ({1}): resume later.', modelOf(facts), facts.own),
    actions: [resume, chooseModels],
  }),
  network: (facts, words) => ({
    text: words.t(
      '{0} cannot be reached ({1}): check the network and the base URL, then resume.',
      facts.find('url', 'baseUrl', 'host') ?? modelOf(facts),
      facts.own,
    ),
    actions: [resume, baseUrls],
  }),
  timeout: (facts, words) => ({
    text: words.t('{0} did not answer in time: check that it is running, then resume.', modelOf(facts)),
    actions: [resume, baseUrls],
  }),
  'broken-stream': (facts, words) => ({
    text: words.t('The answer of {0} broke off several times: resume.', modelOf(facts)),
    actions: [resume, showLog],
  }),
  'bad-answer': (facts, words) => ({
    text: words.t(
      '{0} answered with something that is no answer ({1}): check where its base URL leads.',
      modelOf(facts),
      facts.own,
    ),
    actions: [baseUrls, chooseModels],
  }),
  'bad-request': (facts, words) => ({
    text: words.t('{0} refused the request ({1}): choose another model.', modelOf(facts), facts.own),
    actions: [chooseModels, baseUrls],
  }),
  refused: (facts, words) => ({
    text: words.t(
      '{0} declined to answer ({1}): change the specification or the model.',
      modelOf(facts),
      facts.own,
    ),
    actions: [chooseModels],
  }),
  'context-overflow': (facts, words) => ({
    text: words.t(
      'A task does not fit into the context of {0}: choose a model with a longer one.',
      modelOf(facts),
    ),
    actions: [chooseModels],
  }),
  'playbook-malformed': (facts, words) => ({
    text: words.t(
      'The playbook is malformed ({0}): correct it, and build again.',
      facts.find('problem') ?? facts.own,
    ),
    actions: playbookFile(facts),
  }),
  'playbook-missing-turn': (facts, words) => ({
    text: words.t(
      'The playbook has no turn for the call "{0}": add it, then resume.',
      facts.find('key') ?? '',
    ),
    actions: [...playbookFile(facts), resume],
  }),
  'playbook-contradicted': (facts, words) => ({
    text: words.t(
      'The playbook expected "{0}" in the turn "{1}", and "{2}" came: correct it, and build anew.',
      facts.find('expected') ?? '',
      facts.find('key') ?? '',
      facts.find('actual') ?? '',
    ),
    actions: playbookFile(facts),
  }),
};
