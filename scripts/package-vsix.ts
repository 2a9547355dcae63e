/** `npm run package`: builds the extension and packs it as `swarmwright.vsix`, as users install it. */
import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createVSIX } from '@vscode/vsce';

const repository = join(import.meta.dirname, '..');

export const vsixPath: string = join(repository, 'swarmwright.vsix');

/** @throws Error when the build fails, or the manifest is not one that VS Code takes */
export async function packageVsix(): Promise<void> {
  await promisify(execFile)('npm', ['run', '-s', 'build'], { cwd: repository });
  // Whoever installs it while it is packed again has a whole one.
  const packing = join(repository, `packing-${process.pid}.vsix`);
  await createVSIX({
    cwd: repository,
    packagePath: packing,
    // The bundles hold what they need.
    dependencies: false,
    // There is no public repository yet that relative links in the README could lead to.
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  await rename(packing, vsixPath);
}

if (import.meta.main) await packageVsix();
