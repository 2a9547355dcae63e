/**
 * What package.json and package.nls.json say of settings, made from `runtime/protocol/settings.ts`. As a program it
 * writes them: `npm run settings`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providers } from '../runtime/protocol/providers.ts';
import { settingGroups, settings, type SettingSchema } from '../runtime/protocol/settings.ts';

const prefix = 'swarmwright';

export interface SettingsManifest {
  /** `contributes.configuration` */
  readonly configuration: readonly Readonly<Record<string, unknown>>[];
  /** `capabilities.untrustedWorkspaces.restrictedConfigurations` */
  readonly restricted: readonly string[];
  /** Entries of package.nls.json; all others there are somebody else's. */
  readonly words: Readonly<Record<string, string>>;
}

export function settingsManifest(): SettingsManifest {
  const all: readonly (readonly [string, SettingSchema])[] = Object.entries(settings);
  const words: Record<string, string> = {};
  const groups = Object.entries(settingGroups).map(([group, title], index) => {
    words[`settings.${group}`] = title;
    const members = all.filter(([, setting]) => setting.group === group);
    const properties = members.map(([key, setting], order): readonly [string, object] => {
      const name = `setting.${key}`;
      words[name] = [setting.says, setting.more].filter(Boolean).join(' ');
      if (setting.kind === 'text' && setting.hint !== undefined) words[`${name}.hint`] = setting.hint;
      return [`${prefix}.${key}`, property(key, setting, order)];
    });
    return { title: `%settings.${group}%`, order: index, properties: Object.fromEntries(properties) };
  });
  const restricted = all.filter(([, setting]) => setting.restricted).map(([key]) => `${prefix}.${key}`);
  return { configuration: groups, restricted, words };
}

function property(key: string, setting: SettingSchema, order: number): object {
  return {
    ...shape(key, setting),
    default: setting.default,
    markdownDescription: `%setting.${key}%`,
    scope: setting.scope,
    order,
  };
}

function shape(key: string, setting: SettingSchema): object {
  switch (setting.kind) {
    case 'text':
      return {
        type: 'string',
        ...(setting.pattern === undefined ? {} : { pattern: setting.pattern }),
        ...(setting.hint === undefined ? {} : { patternErrorMessage: `%setting.${key}.hint%` }),
      };
    case 'number':
    case 'whole': {
      const type = setting.kind === 'whole' ? 'integer' : 'number';
      const least = setting.kind === 'whole' ? { minimum: 1 } : { exclusiveMinimum: 0 };
      return { type: setting.default === null ? [type, 'null'] : type, ...least };
    }
    case 'folders':
      return { type: 'array', items: { type: 'string' }, uniqueItems: true };
    case 'addresses':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.values(providers)
            .filter(({ format }) => format !== 'host')
            .map(({ name }) => [name, { type: 'string', pattern: '^https?://' }]),
        ),
        additionalProperties: false,
      };
    default:
      return setting satisfies never;
  }
}

interface Manifest {
  readonly contributes: { configuration?: unknown };
  readonly capabilities: { readonly untrustedWorkspaces: { restrictedConfigurations: unknown } };
}

async function write(root: string): Promise<void> {
  const { configuration, restricted, words } = settingsManifest();
  const manifestPath = join(root, 'package.json');
  const manifest: Manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  manifest.contributes.configuration = configuration;
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restricted;
  await writeFile(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
  const wordsPath = join(root, 'package.nls.json');
  const others: Record<string, string> = JSON.parse(await readFile(wordsPath, 'utf8'));
  const kept = Object.entries(others).filter(([key]) => !/^settings?\./u.test(key));
  const sorted = [...kept, ...Object.entries(words)].toSorted(([left], [right]) => (left < right ? -1 : 1));
  await writeFile(wordsPath, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

if (import.meta.main) await write(join(import.meta.dirname, '..'));
