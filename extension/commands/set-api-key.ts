import { commands, l10n, QuickPickItemKind, window, type Disposable, type QuickPickItem } from 'vscode';
import { keyProblem, type KeyProblem } from '../setup/key-shape.ts';
import { keyProviders, type KeyStore } from '../setup/key-store.ts';

interface ProviderItem extends QuickPickItem {
  readonly variable?: string;
}

/** "Set API Key…": into SecretStorage, or out of it. What is typed is shown nowhere, also not in the log. */
export function registerSetApiKey(keys: KeyStore): Disposable {
  return commands.registerCommand('swarmwright.setApiKey', async (given?: unknown): Promise<boolean> => {
    const named = keyProviders.find(({ name }) => name === given);
    const variable = named?.keyVariable ?? (await pickProvider(keys));
    const provider = keyProviders.find(({ keyVariable }) => keyVariable === variable);
    if (provider === undefined) return false;
    const isSet = (await keys.environment())[provider.keyVariable] !== undefined;
    const key = await window.showInputBox({
      title: l10n.t('API Key of {0}', provider.label),
      prompt: isSet
        ? l10n.t('A key is set. A new one replaces it; an empty one deletes it.')
        : l10n.t('It is kept in the secret storage of VS Code, and sent to nobody but the provider.'),
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => {
        const problem = keyProblem(text);
        return problem === undefined || (problem === 'empty' && isSet) ? undefined : problemText(problem);
      },
    });
    if (key === undefined) return false;
    if (key.trim() === '') await keys.delete(provider.keyVariable);
    else await keys.set(provider.keyVariable, key);
    window.setStatusBarMessage(
      key.trim() === ''
        ? l10n.t('The key of {0} is deleted', provider.label)
        : l10n.t('The key of {0} is set', provider.label),
      5000,
    );
    return true;
  });
}

async function pickProvider(keys: KeyStore): Promise<string | undefined> {
  const environment = await keys.environment();
  const item = ({ label, keyVariable, needsKey }: (typeof keyProviders)[number]): ProviderItem => ({
    label,
    variable: keyVariable,
    description: environment[keyVariable] === undefined ? '' : `$(key) ${l10n.t('set')}`,
    ...(needsKey === 'unless-loopback' ? { detail: l10n.t('A server on this machine may need none') } : {}),
  });
  const needed = keyProviders.filter(({ needsKey }) => needsKey === 'always').map(item);
  const others = keyProviders.filter(({ needsKey }) => needsKey !== 'always').map(item);
  const separator: ProviderItem = { label: l10n.t('Own servers'), kind: QuickPickItemKind.Separator };
  const picked = await window.showQuickPick([...needed, separator, ...others], {
    title: l10n.t('Set API Key'),
    placeHolder: l10n.t('The provider whose key is set or deleted'),
  });
  return picked?.variable;
}

function problemText(problem: KeyProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('Paste the key.');
    case 'has-space':
      return l10n.t('A key has no spaces.');
    case 'too-short':
      return l10n.t('A key is longer.');
    case 'not-ascii':
      return l10n.t('A key has letters, digits and signs of ASCII only; this one may have been shortened.');
    case 'is-address':
      return l10n.t('This is an address: it belongs into the setting Base Urls.');
    case 'is-assignment':
      return l10n.t('Paste only what stands behind the "=".');
    default:
      problem satisfies never;
      return '';
  }
}
