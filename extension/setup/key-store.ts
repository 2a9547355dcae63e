import type { SecretStorage } from 'vscode';
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
  readonly #hide: (keys: readonly string[]) => void;

  /** `hide` is told of every key, so that it is written nowhere. */
  constructor(secrets: SecretStorage, hide: (keys: readonly string[]) => void) {
    this.#secrets = secrets;
    this.#hide = hide;
  }

  async set(variable: string, key: string): Promise<void> {
    this.#hide([key.trim()]);
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
    this.#hide(found.flatMap(([, key]) => key ?? []));
    return Object.fromEntries(found.flatMap(([name, key]) => (key === undefined ? [] : [[name, key]])));
  }
}
