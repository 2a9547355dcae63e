import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** A program of the operating system that the project uses and npm does not bring. */
export interface SystemProgram {
  readonly program: string;
  /** Its package on Debian and Ubuntu. */
  readonly debianPackage: string;
  /** What to do where it cannot be installed from here. */
  readonly advice: string;
}

const bubblewrapAdvice =
  process.platform === 'linux'
    ? 'install it with your package manager (Debian, Ubuntu: sudo apt install bubblewrap; Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap)'
    : 'there is none for this system; a Linux machine or container has one';

export const bubblewrap: SystemProgram = {
  program: 'bwrap',
  debianPackage: 'bubblewrap',
  advice: bubblewrapAdvice,
};

export const git: SystemProgram = {
  program: 'git',
  debianPackage: 'git',
  advice: 'install it (https://git-scm.com/downloads)',
};

/** What the suites in VS Code need: a browser to drive it, and what compiles two modules of its server. */
export const vscodePrograms: readonly SystemProgram[] = [
  {
    program: process.env['CHROMIUM'] ?? 'chromium',
    debianPackage: 'chromium',
    advice: 'install it with your package manager, or name a Chromium in the environment variable CHROMIUM',
  },
  ...[
    ['python3', 'python3'],
    ['make', 'make'],
    ['g++', 'g++'],
  ].map(([program = '', debianPackage = '']) => ({
    program,
    debianPackage,
    advice: 'install it with your package manager',
  })),
];

/** Installs what is missing, where that is possible; else says in one line how. Returns what is there in the end. */
export async function ensurePrograms(programs: readonly SystemProgram[]): Promise<readonly SystemProgram[]> {
  const missing = programs.filter((each) => !isThere(each.program));
  if (missing.length > 0 && canInstall()) await install(missing.map((each) => each.debianPackage));
  for (const { program, advice } of missing) {
    if (!isThere(program)) console.error(`${program} is missing: ${advice}.`);
  }
  return programs.filter((each) => isThere(each.program));
}

function isThere(program: string): boolean {
  // A path is taken as it is.
  const folders = isAbsolute(program) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function canInstall(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

async function install(packages: readonly string[]): Promise<void> {
  console.error(`Installing ${packages.join(' and ')} …`);
  const done =
    (await runApt(['update'])) && (await runApt(['install', '-y', '--no-install-recommends', ...packages]));
  if (!done) console.error(`apt-get could not install ${packages.join(' and ')}.`);
}

/** Its output goes to stderr: stdout may be read by a program. */
async function runApt(args: readonly string[]): Promise<boolean> {
  const child = spawn('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}
