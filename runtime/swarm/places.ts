import { dirname, join, relative, resolve, sep } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { RunError } from './errors.ts';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The real path, also of a folder that is not there yet: of its nearest ancestor that is. */
async function realPlace(path: string, fileSystem: FileSystem): Promise<string> {
  const absolute = resolve(path);
  try {
    return await fileSystem.realpath(absolute);
  } catch (error) {
    const above = dirname(absolute);
    if (codeOf(error) !== 'ENOENT' || above === absolute) throw error;
    return join(await realPlace(above, fileSystem), relative(above, absolute));
  }
}

function isInside(inner: string, outer: string): boolean {
  return inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

async function mustBeWritable(workspace: string, fileSystem: FileSystem): Promise<void> {
  // Always the same, so that one that a kill has left there is taken away.
  const probe = join(workspace, '.swarmwright-probe');
  try {
    await fileSystem.writeFile(probe, new Uint8Array());
    await fileSystem.remove(probe);
  } catch (error) {
    throw new RunError(
      'workspace-not-writable',
      `${workspace} cannot be written: ${codeOf(error)}`,
      { workspace, reason: codeOf(error) },
      error,
    );
  }
}

/**
 * The real paths of workspace and store, once it is sure that neither lies in the other: a store in the workspace would be
 * imported, landed on and deleted with it.
 * @throws RunError `workspace-missing`, `workspace-is-store`, `workspace-in-store`, `store-in-workspace`, `workspace-not-writable`
 */
export async function checkPlaces(
  places: { readonly workspace: string; readonly store: string; readonly land: boolean },
  fileSystem: FileSystem,
): Promise<{ readonly workspace: string; readonly store: string }> {
  let workspace: string;
  try {
    workspace = await fileSystem.realpath(places.workspace);
    if (!(await fileSystem.stat(workspace)).isDirectory()) throw new Error('it is no folder');
  } catch (error) {
    throw new RunError(
      'workspace-missing',
      `${places.workspace} is no folder`,
      { workspace: places.workspace },
      error,
    );
  }
  const store = await realPlace(places.store, fileSystem);
  const details = { workspace, store };
  if (workspace === store) throw new RunError('workspace-is-store', 'the workspace is the store', details);
  if (isInside(workspace, store)) {
    throw new RunError('workspace-in-store', 'the workspace lies in the store', details);
  }
  if (isInside(store, workspace)) {
    throw new RunError('store-in-workspace', 'the store lies in the workspace', details);
  }
  if (places.land) await mustBeWritable(workspace, fileSystem);
  return { workspace, store };
}
