import { dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { eachInOrder } from './each.ts';
import { errorCode } from './errors.ts';

/** Whether there is a folder, and no link to one. Errors are Node's. */
export async function isFolder(fileSystem: FileSystem, location: string): Promise<boolean> {
  try {
    return (await fileSystem.lstat(location)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Opens a folder and all below it to its owner. */
async function open(fileSystem: FileSystem, location: string): Promise<void> {
  if (!(await isFolder(fileSystem, location))) return;
  await fileSystem.chmod(location, 0o755);
  const entries = await fileSystem.readDirectory(location);
  await eachInOrder(entries, async (entry) => {
    if (entry.isDirectory()) await open(fileSystem, join(location, entry.name));
  });
}

/**
 * Does something to `location`, again with the folders around and below opened where a command has closed them to their
 * owner. The folder around must be known to be no link.
 */
export async function opened(
  fileSystem: FileSystem,
  location: string,
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    await fileSystem.chmod(dirname(location), 0o755);
    await open(fileSystem, location);
    await action();
  }
}
