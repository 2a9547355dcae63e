import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { FileSystem } from '#edges/file-system.ts';
import { eachInOrder } from './each.ts';
import { errorCode, SandboxError } from './errors.ts';

/** One thing that commands see besides their checkout. */
type Mount =
  | { readonly kind: 'read-only'; readonly source: string; readonly target: string }
  | { readonly kind: 'link'; readonly source: string; readonly target: string };

/** What commands can use: what is mounted, and where programs are looked for. */
export interface Toolchains {
  readonly mounts: readonly Mount[];
  readonly path: readonly string[];
}

/** System folders that hold programs and libraries and nothing of a user. `/etc/alternatives`: cc, awk, java on Debian. */
const systemPaths = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
];
export const systemPath: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];
/** Where a command finds its checkout, and where it starts. */
export const checkoutMount = '/checkout';
const nodeFolder = '/opt/node';
/** Folders that are the sandbox's own or hold more than toolchains. */
const taken: ReadonlySet<string> = new Set([
  '/',
  checkoutMount,
  '/dev',
  '/etc',
  '/home',
  '/proc',
  '/run',
  '/sys',
  '/tmp',
  '/var',
]);
/** Mounted after the toolchains, so one below them would be lost, or end up in the checkout. */
const own = [checkoutMount, '/dev', '/proc'];
/** Where configuration of toolchains lies outside /usr: Java on Debian does not start without its own. */
const configured = /^java-/u;

export async function exists(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    await fileSystem.lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

async function systemMounts(fileSystem: FileSystem): Promise<Mount[]> {
  const mounts: Mount[] = [];
  const configurations = (await exists(fileSystem, '/etc')) ? await fileSystem.readDirectory('/etc') : [];
  const more = configurations.map(({ name }) => name).filter((name) => configured.test(name));
  await eachInOrder([...systemPaths, ...more.map((name) => `/etc/${name}`)], async (path) => {
    if (!(await exists(fileSystem, path))) return;
    const isLink = (await fileSystem.lstat(path)).isSymbolicLink();
    mounts.push(
      isLink
        ? { kind: 'link', source: await fileSystem.readLink(path), target: path }
        : { kind: 'read-only', source: path, target: path },
    );
  });
  return mounts;
}

/**
 * The running Node, when it is not a system program: the program alone, not its folder, which may be a home directory;
 * and npm, when it is installed with it. Inside an editor the running program is no Node, so there is none to give.
 */
async function nodeMounts(fileSystem: FileSystem, program: string): Promise<Mount[]> {
  if (program.startsWith('/usr/') || !basename(program).startsWith('node')) return [];
  const mounts: Mount[] = [{ kind: 'read-only', source: program, target: `${nodeFolder}/bin/node` }];
  const npm = join(dirname(dirname(program)), 'lib', 'node_modules', 'npm');
  if (await exists(fileSystem, npm)) {
    mounts.push(
      { kind: 'read-only', source: npm, target: `${nodeFolder}/lib/node_modules/npm` },
      {
        kind: 'link',
        source: '../lib/node_modules/npm/bin/npm-cli.js',
        target: `${nodeFolder}/bin/npm`,
      },
      {
        kind: 'link',
        source: '../lib/node_modules/npm/bin/npx-cli.js',
        target: `${nodeFolder}/bin/npx`,
      },
    );
  }
  return mounts;
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Refuses what would show a home directory or the store, or would cover what the sandbox itself has. */
async function requireMountable(
  fileSystem: FileSystem,
  folder: string,
  hidden: readonly string[],
): Promise<void> {
  const refuse = (why: string): SandboxError =>
    new SandboxError('unsafe-path', `toolchain ${folder}: ${why}`, { path: folder, why });
  if (!isAbsolute(folder) || resolve(folder) !== folder) throw refuse('not an absolute path');
  if (!(await exists(fileSystem, folder))) throw refuse('not there');
  const real = await fileSystem.realpath(folder);
  if (hidden.some((path) => contains(real, path))) throw refuse('shows a home directory or the store');
  const covers = [folder, real].some((path) => taken.has(path) || own.some((mount) => contains(mount, path)));
  if (covers) throw refuse('holds more than a toolchain');
}

/**
 * What the sandbox shows read-only. `program`: the running Node (`process.execPath`); `more`: absolute folders from the
 * settings, mounted where they are; their `bin` (or else they themselves) come first when a program is looked for.
 * `hidden`: real paths of what no toolchain may show: home directory, store.
 * @throws SandboxError `unsafe-path` when one of `more` is missing or would show more than a toolchain
 */
export async function detectToolchains(
  fileSystem: FileSystem,
  program: string,
  more: readonly string[],
  hidden: readonly string[],
): Promise<Toolchains> {
  const mounts = [...(await systemMounts(fileSystem)), ...(await nodeMounts(fileSystem, program))];
  const path: string[] = [];
  await eachInOrder(more, async (folder) => {
    await requireMountable(fileSystem, folder, hidden);
    mounts.push({ kind: 'read-only', source: folder, target: folder });
    const programs = join(folder, 'bin');
    path.push((await exists(fileSystem, programs)) ? programs : folder);
  });
  const hasNode = mounts.some((mount) => mount.target === `${nodeFolder}/bin/node`);
  return { mounts, path: [...path, ...(hasNode ? [`${nodeFolder}/bin`] : []), ...systemPath] };
}
