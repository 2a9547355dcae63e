import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';
import { providers, type ProviderInfo } from '#protocol/providers.ts';

/** Providers that can have a key. */
export const keyProviders: readonly (ProviderInfo & { readonly keyVariable: string })[] = Object.values(
  providers,
).flatMap((provider) => {
  const { keyVariable } = provider;
  return keyVariable === undefined ? [] : [{ ...provider, keyVariable }];
});

/** API keys: in VS Code's SecretStorage and nowhere else. They go to the runtime with a request. */
export class KeyStore {
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  get onDidChange(): Event<SecretStorageChangeEvent> {
    return this.#secrets.onDidChange;
  }

  async set(variable: string, key: string): Promise<void> {
    await this.#secrets.store(variable, key.trim());
  }

  async delete(variable: string): Promise<void> {
    await this.#secrets.delete(variable);
  }

  /** The variables that the runtime reads keys from, by their names. */
  async environment(): Promise<Readonly<Record<string, string>>> {
    const found = await Promise.all(
      keyProviders.map(async ({ keyVariable }): Promise<readonly [string, string | undefined]> => [
        keyVariable,
        await this.#secrets.get(keyVariable),
      ]),
    );
    return Object.fromEntries(found.flatMap(([name, key]) => (key === undefined ? [] : [[name, key]])));
  }
}
