import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { CliError } from './errors.ts';

/** Says that a folder is ours to make anew. */
const markerName = '.swarmwright-demo';
const markerText = 'This folder is made by the demo of swarmwright, and made anew by the next one.\n';

/**
 * Makes the output folder anew. Only when it is missing, empty, or carries the marker of an earlier demo: whatever else
 * is there may be somebody's work. @throws CliError `demo-output-taken`
 */
export async function prepareOutput(folder: string, fileSystem: FileSystem): Promise<void> {
  const names = await namesIn(folder, fileSystem);
  if (names !== undefined && names.length > 0 && !(await isMarked(folder, fileSystem))) {
    throw new CliError('demo-output-taken', 'the output folder is not ours', { path: folder });
  }
  // The marker goes last: a demo that is killed here leaves a folder that the next one may still empty.
  const doomed = (names ?? []).filter((name) => name !== markerName);
  await Promise.all(doomed.map(async (name) => fileSystem.remove(join(folder, name))));
  await fileSystem.remove(join(folder, markerName));
  await fileSystem.makeDirectory(folder);
}

/**
 * Written once the run has imported the folder: so it is no file of the user's, trunk never has it, and a landing
 * leaves it alone.
 */
export async function markOutput(folder: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.writeFile(join(folder, markerName), new TextEncoder().encode(markerText));
}

/** Undefined when there is nothing. @throws CliError `demo-output-taken` when it is no folder */
async function namesIn(folder: string, fileSystem: FileSystem): Promise<readonly string[] | undefined> {
  try {
    const stats = await fileSystem.lstat(folder);
    if (!stats.isDirectory()) {
      throw new CliError('demo-output-taken', 'the output is no folder', { path: folder });
    }
    return (await fileSystem.readDirectory(folder)).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isMarked(folder: string, fileSystem: FileSystem): Promise<boolean> {
  const marker = join(folder, markerName);
  try {
    const stats = await fileSystem.lstat(marker);
    return stats.isFile() && new TextDecoder().decode(await fileSystem.readFile(marker)) === markerText;
  } catch {
    return false;
  }
}
