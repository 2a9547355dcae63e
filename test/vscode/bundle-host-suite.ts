import { globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { suitesFolder } from './host-results.ts';
import { buildFolder } from './places.ts';

/** Bundles the suites of `host/`, those with `part` in their names; returns what `extensionTestsPath` is to name. */
export async function bundleHostSuite(part = ''): Promise<string> {
  // Within the repository, as mocha is looked for from there; one for each process, as several may run.
  const folder = join(buildFolder, `host-suite-${process.pid}`);
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const suites = globSync('host/**/*.test.ts', { cwd: import.meta.dirname }).filter((name) =>
    name.includes(part),
  );
  await build({
    entryPoints: [
      { in: join(import.meta.dirname, 'host-entry.ts'), out: 'index' },
      ...suites.map((suite) => ({
        in: join(import.meta.dirname, suite),
        out: `${suitesFolder}/${basename(suite, '.ts')}`,
      })),
    ],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    sourcemap: 'inline',
    // `vscode` is what the host gives; there must be one mocha for entry and suites.
    external: ['vscode', 'mocha'],
    define: { 'import.meta.dirname': '__dirname' },
  });
  return join(folder, 'index.cjs');
}
