import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, vsix } from './places.ts';
import { vsixEntries } from './vsix-entries.ts';

/** Everything that may be in it. */
const allowed: readonly RegExp[] = [
  /^\[Content_Types\]\.xml$/u,
  /^extension\.vsixmanifest$/u,
  /^extension\/(?:package\.json|package\.nls\.json|LICENSE\.txt|readme\.md|changelog\.md)$/u,
  /^extension\/media\/(?:walkthrough\/)?[\w-]+\.(?:png|svg|md)$/u,
  /^extension\/dist\/(?:extension\.cjs|worker\.js|journal-worker\.js|THIRD_PARTY_NOTICES\.txt)$/u,
  /^extension\/dist\/chunk-[A-Z0-9]+\.js$/u,
  /^extension\/dist\/webview\/[\w-]+\.(?:js|css|ttf)$/u,
  /^extension\/examples\/minisql\/[\w-]+\.(?:md|ya?ml|json)$/u,
  /^extension\/examples\/minisql\/parts\/[\w/.-]+$/u,
];

/** What the extension cannot do without. */
const needed = [
  'extension/package.json',
  'extension/package.nls.json',
  'extension/LICENSE.txt',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/media/icon.png',
  'extension/dist/extension.cjs',
  'extension/dist/worker.js',
  'extension/dist/journal-worker.js',
  'extension/dist/THIRD_PARTY_NOTICES.txt',
  'extension/examples/minisql/playbook.yaml',
];

describe('the vsix', () => {
  const entries = vsixEntries(vsix);

  it('holds nothing that is not named here', () => {
    expect(entries.filter((entry) => !allowed.some((pattern) => pattern.test(entry)))).toEqual([]);
  });

  it('holds all that the extension needs', () => {
    expect(needed.filter((entry) => !entries.includes(entry))).toEqual([]);
  });

  it('holds what the bundles load, and no bundle that nothing loads', () => {
    const bundles = entries.filter((entry) => /^extension\/dist\/[\w-]+\.c?js$/u.test(entry));
    const loaded = bundles.flatMap((bundle) => {
      const text = readFileSync(join(repository, bundle.replace('extension/', '')), 'utf8');
      return Array.from(text.matchAll(/["'](?:\.\/|dist\/)([\w.-]+\.js)["']/gu), ([, name]) => name);
    });
    const names = bundles.map((bundle) => basename(bundle)).filter((name) => name !== 'extension.cjs');
    expect(new Set(loaded)).toEqual(new Set(names));
  });

  it('holds no suite that grades what agents build', () => {
    expect(entries.filter((entry) => /held-out|\.test$|\.slt/u.test(entry))).toEqual([]);
  });

  it('is at most 2 MB', () => {
    expect(statSync(vsix).size).toBeLessThanOrEqual(2_000_000);
  });
});
