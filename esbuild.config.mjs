import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Packages that are CommonJS inside ask for `require`. */
const requireBanner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

const shared = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  sourcemap: 'linked',
  // What licences ask for is in THIRD_PARTY_NOTICES.txt, whole.
  legalComments: 'none',
  metafile: true,
  // Errors show the names of their classes.
  keepNames: true,
};

const runtime = await build({
  ...shared,
  // The journal's worker thread is loaded by its address, so it is a file of its own beside main.js.
  entryPoints: { main: 'runtime/cli.ts', 'journal-worker': 'runtime/journal/journal-worker.ts' },
  target: 'node24',
  banner: requireBanner,
});

/** The extension host loads CommonJS, and brings `vscode`. */
const extension = await build({
  ...shared,
  entryPoints: { extension: 'extension/extension.ts' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['vscode'],
  target: 'node22',
  minify: true,
  keepNames: false,
  sourcemap: false,
});

/** The runtime's thread. SDKs of models are chunks of their own, loaded when used. */
const worker = await build({
  ...shared,
  entryPoints: { worker: 'runtime/worker.ts' },
  target: 'node22',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  minify: true,
  sourcemap: false,
  banner: requireBanner,
});

/** The page of the dashboard, its styles, and the font of the icons with its own: the controls load it by its address. */
const webview = await build({
  ...shared,
  entryPoints: [
    { in: 'webview-ui/dashboard.tsx', out: 'dashboard' },
    { in: 'webview-ui/dashboard.css', out: 'dashboard' },
    { in: '@vscode/codicons/dist/codicon.css', out: 'codicon' },
  ],
  outdir: 'dist/webview',
  format: 'iife',
  platform: 'browser',
  // What the Chromium of VS Code 1.120 knows.
  target: 'chrome140',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  minify: true,
  keepNames: false,
  sourcemap: false,
});

// The launcher is what a user starts, with whatever Node the system has: it must run on Node 20 and load nothing.
const launcher = await build({
  ...shared,
  entryPoints: { cli: 'runtime/cli/launcher.ts' },
  target: 'node20',
  sourcemap: false,
});
await chmod('dist/cli.js', 0o755);

/** Folders of the packages of which something is in the bundles, sorted. */
function bundledPackages(...metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
  );
  // The last one counts: a package can have packages of its own.
  const folders = inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(input) ?? []);
  return [...new Set(folders)].toSorted();
}

/** Texts of the licences in the package, with those of code that it has taken from others. */
async function licences(folder) {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) =>
      /^(licen[cs]e|copying|notice)(-[\w-]+)?(\.(md|txt))?$/iu.test(basename(file)) &&
      !file.includes('node_modules'),
  );
  return Promise.all(
    files.toSorted().map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()),
  );
}

/** @throws Error when the package comes without the text of a licence and does not even name one */
async function notice(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const texts = await licences(folder);
  if (texts.length === 0 && !license) throw new Error(`${folder} is bundled and has no licence`);
  const by = typeof author === 'object' ? author?.name : author;
  if (texts.length === 0) texts.push(`Licence: ${license}${by ? `, ${by}` : ''}`);
  return `${name} ${version} (${license ?? 'see below'})\n\n${texts.join('\n\n')}\n`;
}

const builds = [runtime, extension, worker, webview, launcher];
const notices = await Promise.all(bundledPackages(...builds.map(({ metafile }) => metafile)).map(notice));
const line = `\n${'-'.repeat(80)}\n\n`;
const opening = 'Swarmwright contains parts of these packages, under their licences.\n';
await writeFile('dist/THIRD_PARTY_NOTICES.txt', [opening, ...notices].join(line));

/** What can be loaded from the bundles: code that was shaken out of them may leave a chunk behind that nothing loads. */
function loadable({ metafile: { outputs } }) {
  const loaded = new Set(Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)));
  return Object.keys(outputs).filter((file) => !/\bchunk-\w+\.js$/u.test(file) || loaded.has(file));
}

// What an earlier build has left would be packaged.
const made = new Set(builds.flatMap(loadable));
const found = await readdir('dist', { recursive: true, withFileTypes: true });
const stale = found
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((file) => !made.has(file) && file !== join('dist', 'THIRD_PARTY_NOTICES.txt'));
await Promise.all(stale.map(async (file) => rm(file, { force: true })));
