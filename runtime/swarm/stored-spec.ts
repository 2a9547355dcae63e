import { basename, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';

/** The run's own copy of its specification: the user may edit the original while the run goes on. */
const folderName = 'spec';

async function copyDocuments(from: string, to: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.makeDirectory(to);
  for (const entry of await fileSystem.readDirectory(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
      await copyDocuments(source, target, fileSystem);
    } else if (/\.(md|txt)$/i.test(entry.name) && !entry.isDirectory()) {
      await fileSystem.writeFile(target, await fileSystem.readFile(source));
    }
  }
}

export async function writeStoredSpec(
  specPath: string,
  store: string,
  fileSystem: FileSystem,
): Promise<void> {
  const folder = join(store, folderName);
  if ((await fileSystem.stat(specPath)).isDirectory()) {
    await copyDocuments(specPath, join(folder, basename(specPath)), fileSystem);
    return;
  }
  await fileSystem.makeDirectory(folder);
  await fileSystem.writeFile(join(folder, basename(specPath)), await fileSystem.readFile(specPath));
}

export function storedSpecPath(specPath: string, store: string): string {
  return join(store, folderName, basename(specPath));
}

export async function removeStoredSpec(store: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.remove(join(store, folderName));
}
