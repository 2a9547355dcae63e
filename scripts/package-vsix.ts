/** `npm run package`: builds the extension and packs it as `swarmwright.vsix`, as users install it. */
import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');

export const vsixPath: string = join(repository, 'swarmwright.vsix');

const run = promisify(execFile);

/** @throws Error when the build fails, or the manifest is not one that VS Code takes */
export async function packageVsix(): Promise<void> {
  await run('npm', ['run', '-s', 'build'], { cwd: repository });
  // Whoever installs it while it is packed again has a whole one.
  const packing = join(repository, `packing-${process.pid}.vsix`);
  const options = [
    // The bundles hold what they need.
    '--no-dependencies',
    // There is no public repository yet that relative links in the README could lead to.
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
  ];
  const vsce = join(repository, 'node_modules', '.bin', 'vsce');
  const { stdout, stderr } = await run(vsce, ['package', ...options, '--out', packing], { cwd: repository });
  await rename(packing, vsixPath);
  // It ends with the name of a file that is no longer there.
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.includes(packing));
  if (lines.length > 0) console.log(lines.join('\n'));
  console.log(relative(process.cwd(), vsixPath));
}

if (import.meta.main) await packageVsix();
