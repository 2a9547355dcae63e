import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings, type SettingSchema } from '#protocol/settings.ts';
import { settingsManifest } from '../scripts/settings-manifest.ts';

const root = join(import.meta.dirname, '..');

async function read(name: string): Promise<Readonly<Record<string, unknown>>> {
  const json: Readonly<Record<string, unknown>> = JSON.parse(await readFile(join(root, name), 'utf8'));
  return json;
}

/** When one of these fails: `npm run settings`. */
describe('the settings that VS Code shows', () => {
  const made = settingsManifest();

  it('are those of the schema that the command line uses', async () => {
    const { contributes } = await read('package.json');
    expect(contributes).toMatchObject({ configuration: made.configuration });
  });

  it('are restricted where the schema says so', async () => {
    const { capabilities } = await read('package.json');
    expect(capabilities).toMatchObject({
      untrustedWorkspaces: { restrictedConfigurations: made.restricted },
    });
  });

  it('have their words in package.nls.json, and no others', async () => {
    const words = Object.entries(await read('package.nls.json'));
    const ours = words.filter(([key]) => /^settings?\./u.test(key));
    expect(Object.fromEntries(ours)).toEqual(made.words);
  });

  it('send no key elsewhere and name no programs from a repository', () => {
    expect(settings.baseUrls.scope).toBe('machine');
    expect(settings.toolchains.scope).toBe('machine');
  });

  it('count in an untrusted folder not at all: what runs and what it costs depends on each', () => {
    const all: readonly (readonly [string, SettingSchema])[] = Object.entries(settings);
    const free = all.filter(([, setting]) => !setting.restricted);
    expect(free.map(([key]) => key)).toEqual([]);
  });

  it('cannot switch the sandbox off', () => {
    expect(Object.keys(settings).filter((key) => /sandbox/iu.test(key))).toEqual([]);
  });
});
