import { ConfigurationTarget, l10n, workspace } from 'vscode';
import type { ProviderInfo } from '#protocol/providers.ts';
import { addressProblem, tidyAddress, type AddressProblem } from '../setup/server-address.ts';
import { inputStep, type StepOutcome, type StepPlace } from './quick-steps.ts';

/** Where a server of the user's own is. The answer is kept in the user's settings of this machine. */
export async function askAddress(place: StepPlace, provider: ProviderInfo): Promise<StepOutcome> {
  const answer = await inputStep({
    ...place,
    // There is a way back to the list also in the first step.
    canGoBack: true,
    prompt: l10n.t(
      'The base URL of the {0}. It is kept in your setting swarmwright.baseUrls, for this machine',
      provider.label,
    ),
    placeholder: 'http://127.0.0.1:8000/v1',
    value: '',
    check: (text) => {
      const problem = addressProblem(text);
      return problem === undefined ? undefined : problemText(problem);
    },
  });
  if (answer.kind !== 'answered') return answer.kind;
  await keepAddress(provider, tidyAddress(answer.value));
  return 'answered';
}

async function keepAddress({ name }: ProviderInfo, address: string): Promise<void> {
  const configuration = workspace.getConfiguration('swarmwright');
  const before = configuration.inspect<Readonly<Record<string, unknown>>>('baseUrls')?.globalValue;
  await configuration.update('baseUrls', { ...before, [name]: address }, ConfigurationTarget.Global);
}

function problemText(problem: AddressProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('An address, please.');
    case 'not-http':
      return l10n.t('It begins with http:// or https://, and has no spaces.');
    case 'has-credentials':
      return l10n.t('Without a name and password: a key is set with Set API Key.');
    default:
      problem satisfies never;
      return '';
  }
}
