import { basename, dirname, join } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { readSpecFiles } from '#spec/spec-files.ts';

/** The run's own copy of its specification: the user may edit the original while the run goes on. */
const folderName = 'spec';

/** Stores the documents that the specification is read from, and nothing else. @throws SpecError as `readSpecFiles` */
export async function writeStoredSpec(
  specPath: string,
  store: string,
  fileSystem: FileSystem,
): Promise<void> {
  const { kind, files } = await readSpecFiles(specPath, fileSystem);
  const target = storedSpecPath(specPath, store);
  const folder = kind === 'folder' ? target : dirname(target);
  await fileSystem.makeDirectory(folder);
  for (const { name, bytes } of files) {
    const path = join(folder, name);
    await fileSystem.makeDirectory(dirname(path));
    await fileSystem.writeFile(path, bytes);
  }
}

export function storedSpecPath(specPath: string, store: string): string {
  return join(store, folderName, basename(specPath));
}

export async function removeStoredSpec(store: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.remove(join(store, folderName));
}
