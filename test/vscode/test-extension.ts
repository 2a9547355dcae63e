import { rmSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { buildFolder, repository } from './places.ts';

/** Extensions that stand beside ours in tests; each is a folder here, with `manifest.json` and `extension.ts`. */
export type TestExtension = 'model-provider' | 'probe' | 'thread-end';

/** Where `packTestExtension` puts it: for `WorkbenchOptions.extensions`. */
export function testExtensionVsix(name: TestExtension): string {
  return join(buildFolder, `${name}.vsix`);
}

/** Bundles it; returns its folder, which can be developed. */
export async function buildTestExtension(name: TestExtension): Promise<string> {
  // One for each process, as several may run.
  const folder = join(buildFolder, `${name}-${process.pid}`);
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  await build({
    entryPoints: {
      extension: join(import.meta.dirname, name, 'extension.ts'),
      // The reader of a journal works in a thread of its own, which it looks for beside itself.
      'journal-worker': join(repository, 'runtime/journal/journal-worker.ts'),
    },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  // Not named package.json where it stands: the imports of the sources beside it are those of the project.
  await copyFile(join(import.meta.dirname, name, 'manifest.json'), join(folder, 'package.json'));
  return folder;
}

/** Bundles and packs it. */
export async function packTestExtension(name: TestExtension): Promise<void> {
  const folder = await buildTestExtension(name);
  const packing = `${folder}.vsix`;
  await createVSIX({
    cwd: folder,
    packagePath: packing,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  // Whoever installs it while it is packed again has a whole one.
  await rename(packing, testExtensionVsix(name));
}
