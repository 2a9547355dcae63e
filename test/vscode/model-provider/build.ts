import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { buildFolder, repository } from '../places.ts';

const folder = join(buildFolder, 'model-provider');

/** For `WorkbenchOptions.extensions`, after `packModelProvider`. */
export const modelProviderVsix: string = join(buildFolder, 'model-provider.vsix');

/** Bundles the extension; returns its folder, which can be developed. */
export async function buildModelProvider(): Promise<string> {
  await build({
    entryPoints: {
      extension: join(import.meta.dirname, 'extension.ts'),
      // The reader of the journal works in a thread of its own, which it looks for beside itself.
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
    sourcemap: 'inline',
  });
  await copyFile(join(import.meta.dirname, 'manifest.json'), join(folder, 'package.json'));
  return folder;
}

/** Bundles and packs it. */
export async function packModelProvider(): Promise<void> {
  await createVSIX({
    cwd: await buildModelProvider(),
    packagePath: modelProviderVsix,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
}
