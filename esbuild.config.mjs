import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

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
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
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

const notices = await Promise.all(bundledPackages(runtime.metafile, launcher.metafile).map(notice));
const line = `\n${'-'.repeat(80)}\n\n`;
const opening = 'Swarmwright contains parts of these packages, under their licences.\n';
await writeFile('dist/THIRD_PARTY_NOTICES.txt', [opening, ...notices].join(line));
