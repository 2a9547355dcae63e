import { chmod } from 'node:fs/promises';
import { build } from 'esbuild';

const shared = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  sourcemap: 'linked',
  legalComments: 'none',
  // Errors show the names of their classes.
  keepNames: true,
};

await build({
  ...shared,
  // The journal's worker thread is loaded by its address, so it is a file of its own beside main.js.
  entryPoints: { main: 'runtime/cli.ts', 'journal-worker': 'runtime/journal/journal-worker.ts' },
  target: 'node24',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

// The launcher is what a user starts, with whatever Node the system has: it must run on Node 20 and load nothing.
await build({
  ...shared,
  entryPoints: { cli: 'runtime/cli/launcher.ts' },
  target: 'node20',
  sourcemap: false,
});
await chmod('dist/cli.js', 0o755);
