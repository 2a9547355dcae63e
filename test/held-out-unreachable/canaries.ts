import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../command-line/build-once.ts';

/** The suite that grades what the demo builds. */
export const suiteFolder: string = join(repository, 'test', 'held-out', 'minisql');
/** One of its files. */
export const suiteFile: string = join(suiteFolder, 'select.test');

async function textsBelow(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  return Promise.all(files.map(async (file) => readFile(join(file.parentPath, file.name), 'utf8')));
}

/** Shorter lines could be written by anyone. */
const shortest = 30;

/** Lines that stand in the suite and not in what the example's agents are given or write. */
export const canaries: readonly string[] = await (async () => {
  const example = (await textsBelow(join(repository, 'examples', 'minisql'))).join('\n');
  const lines = (await textsBelow(suiteFolder))
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line.length >= shortest && !example.includes(line));
})();

/** The canaries that a text holds, also where it is JSON. */
export function leaksIn(text: string): readonly string[] {
  const plain = text.replaceAll('\\"', '"');
  return canaries.filter((line) => text.includes(line) || plain.includes(line));
}
