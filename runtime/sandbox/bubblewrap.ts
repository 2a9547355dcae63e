import { checkoutMount, type Toolchains } from './toolchains.ts';

/** Inside; outside it is the user who runs us. Programs behave differently, or refuse, when they think they are root. */
const sandboxUser = 1000;
const home = '/tmp/home';
const temporaryBytes = 1024 ** 3;
const sharedMemoryBytes = 256 * 1024 ** 2;

export interface BubblewrapOptions {
  /** Of the program, such as `0.8.0`: old ones lack some of the limits. */
  readonly version: string;
  readonly toolchains: Toolchains;
  /** The folder on the host that is mounted writable at `checkoutMount`. */
  readonly checkout: string;
  /** Files of our own that stand in for the host's: target -> file on the host. */
  readonly files: ReadonlyMap<string, string>;
  /** Entries of the host's /proc that the superuser could write to; see `guardedProc`. */
  readonly guarded: readonly string[];
  /** The program and its arguments. */
  readonly command: readonly string[];
}

/**
 * Entries of /proc that are mounted read-only. Bubblewrap 0.8 means to do that itself, but started by the superuser
 * it takes them for read-only already: a command could then write /proc/sys/kernel/core_pattern, which names a program
 * that the host runs. Root without capabilities still is root to those files.
 */
export const guardedProc: readonly string[] = [
  '/proc/acpi',
  '/proc/bus',
  '/proc/driver',
  '/proc/fs',
  '/proc/irq',
  '/proc/mtrr',
  '/proc/pressure',
  '/proc/scsi',
  '/proc/sys',
  '/proc/sysrq-trigger',
];

/** The whole environment of a command: nothing is inherited, so no key can be in it. */
export function commandEnvironment(
  path: readonly string[],
  homeFolder: string = home,
  temporary = '/tmp',
): Readonly<Record<string, string>> {
  return {
    CI: '1',
    HOME: homeFolder,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    PATH: path.join(':'),
    TERM: 'dumb',
    TMPDIR: temporary,
    TZ: 'UTC',
  };
}

/** Files that stand in for the host's own, without which programs do not know who they are or what localhost is. */
export const standInFiles: ReadonlyMap<string, string> = new Map([
  ['/etc/passwd', `agent:x:${sandboxUser}:${sandboxUser}::${home}:/bin/sh\n`],
  ['/etc/group', `agent:x:${sandboxUser}:\n`],
  ['/etc/hosts', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
]);

/** Whether a version `0.N` or newer is there. */
function atLeast(version: string, minor: number): boolean {
  const [major = 0, second = 0] = version.split('.').map(Number);
  return major > 0 || second >= minor;
}

/**
 * The arguments of `bwrap` for one command. No network, no capabilities, no home directory; the toolchains read-only,
 * a private /tmp, and the checkout. Bubblewrap itself must be started with the command's environment too, as that of
 * its first process can be read through /proc/1/environ.
 */
export function bubblewrapArguments(options: BubblewrapOptions): string[] {
  const { version, toolchains, files, guarded, checkout, command } = options;
  const size = (bytes: number): string[] => (atLeast(version, 7) ? ['--size', String(bytes)] : []);
  const environment = Object.entries(commandEnvironment(toolchains.path));
  const groups: readonly (readonly string[])[] = [
    ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    atLeast(version, 8) ? ['--unshare-user', '--disable-userns'] : [],
    ['--uid', String(sandboxUser), '--gid', String(sandboxUser), '--hostname', 'sandbox'],
    environment.flatMap(([name, value]) => ['--setenv', name, value]),
    // Before the toolchains, as one may lie below it.
    [...size(temporaryBytes), '--tmpfs', '/tmp', '--dir', home],
    toolchains.mounts.flatMap((mount) => [
      mount.kind === 'link' ? '--symlink' : '--ro-bind',
      mount.source,
      mount.target,
    ]),
    [...files].flatMap(([target, source]) => ['--ro-bind', source, target]),
    ['--proc', '/proc'],
    guarded.flatMap((path) => ['--ro-bind', path, path]),
    // What /dev holds beside devices is memory: only /dev/shm is writable, and limited.
    ['--dev', '/dev', ...size(sharedMemoryBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--bind', checkout, checkoutMount, '--chdir', checkoutMount],
    // Last, as nothing can be mounted below it afterwards. Without it the root itself would be writable.
    ['--remount-ro', '/', '--'],
    command,
  ];
  return groups.flat();
}
