import { join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';

/** Copies what is below `from` to `to`: files with their modes, links as they are. Sockets and the like are left out. */
export async function copyFolder(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  await fileSystem.makeDirectory(to);
  for (const entry of await fileSystem.readDirectory(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // One at a time, so that too much is never read at once.
    /* oxlint-disable no-await-in-loop */
    if (entry.isDirectory()) {
      await copyFolder(fileSystem, source, target);
    } else if (entry.isSymbolicLink()) {
      await fileSystem.symlink(await fileSystem.readLink(source), target);
    } else if (entry.isFile()) {
      const { mode } = await fileSystem.lstat(source);
      await fileSystem.writeFile(target, await fileSystem.readFile(source), mode & 0o777);
    }
    /* oxlint-enable no-await-in-loop */
  }
}
