import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce, repository } from './command-line/build-once.ts';

interface SourceMap {
  readonly sources: readonly string[];
}

/** Names of the packages whose sources are in the bundles, as their source maps say. */
async function bundled(): Promise<readonly string[]> {
  const maps = await Promise.all(
    ['main.js.map', 'journal-worker.js.map'].map(async (file): Promise<SourceMap> => {
      const text = await readFile(join(repository, 'dist', file), 'utf8');
      return JSON.parse(text);
    }),
  );
  const names = maps
    .flatMap(({ sources }) => sources)
    .flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(source)?.[1] ?? []);
  return [...new Set(names)];
}

beforeAll(async () => {
  await buildOnce();
}, 120_000);

test('every package in the bundles is named with its version and the text of its licence', async () => {
  const notices = (await readFile(join(repository, 'dist', 'THIRD_PARTY_NOTICES.txt'), 'utf8')).split(
    /\n-{80}\n\n/u,
  );
  const names = await bundled();
  expect(names).toContain('openai');
  const missing = names.filter((name) => {
    const notice = notices.find((text) => text.startsWith(`${name} `)) ?? '';
    return !/^\S+ \d+\.\d+\.\d+\S* \([^)]+\)\n[^]*(?:permission|licensed|redistribution)/iu.test(notice);
  });
  expect(missing).toEqual([]);
});

test('code that a package has taken from others keeps its licence too', async () => {
  const notices = await readFile(join(repository, 'dist', 'THIRD_PARTY_NOTICES.txt'), 'utf8');
  // `qs`, of which openai has a copy.
  expect(notices).toContain('Redistributions in binary form must reproduce');
});
