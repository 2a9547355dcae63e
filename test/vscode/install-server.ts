/**
 * Installs VS Code as `code-server` holds it (server, workbench and extension host of a real VS Code) into
 * `test/vscode/server/node_modules`, from the npm registry, compiling only two small modules. Where this has been done
 * it takes no time.
 */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverFolder } from './places.ts';

const run = promisify(execFile);
const codeServer = join(serverFolder, 'node_modules', 'code-server');
const vscode = join(codeServer, 'lib', 'vscode');
const stamp = join(codeServer, '.installed-for-tests');
const lock = join(serverFolder, '.install-lock');
/** An install takes a minute; a lock that is older was left by a process that died. */
const oldLock = 900_000;

/**
 * Several suites may start at once: one installs, the others wait.
 * @throws Error with the last lines of npm when an install fails
 */
export async function installServer(): Promise<void> {
  while (!isInstalled()) {
    if (!(await takeLock())) {
      await sleep(500);
      continue;
    }
    try {
      if (!isInstalled()) await install();
    } finally {
      await rmdir(lock);
    }
  }
}

/** What the stamp says when the install is the one that the lock file asks for, built for the Node that runs. */
function wanted(): string {
  const locked = readFileSync(join(serverFolder, 'package-lock.json'), 'utf8');
  return `${process.version} ${hash('sha256', locked)}`;
}

function isInstalled(): boolean {
  try {
    return readFileSync(stamp, 'utf8') === wanted();
  } catch {
    return false;
  }
}

async function install(): Promise<void> {
  if (!process.version.startsWith('v24.')) {
    throw new Error(`start this through "npm run", which brings Node 24 (this is ${process.version})`);
  }
  console.error('Installing VS Code for the tests …');
  await npm(serverFolder, 'ci', '--ignore-scripts');
  // "npm ci" fails for this one: its shrinkwrap lacks a package.
  await npm(vscode, 'install', '--omit=dev', '--ignore-scripts');
  // TypeScript, for the built-in extension that speaks it.
  await npm(join(vscode, 'extensions'), 'install', '--omit=dev', '--ignore-scripts');
  // Without spdlog nothing is logged and output channels stay empty; the watchdog ends hosts whose server has died.
  const headers = dirname(dirname(realpathSync(process.execPath)));
  await npm(vscode, 'rebuild', '@vscode/spdlog', '@vscode/native-watchdog', `--nodedir=${headers}`);
  await link(join(vscode, 'bin', 'remote-cli', 'code-server'), 'code-linux.sh');
  await link(join(vscode, 'bin', 'helpers', 'browser.sh'), 'browser-linux.sh');
  await writeFile(stamp, wanted());
}

async function npm(folder: string, ...args: readonly string[]): Promise<void> {
  try {
    await run('npm', [...args, '--no-audit', '--no-fund'], {
      cwd: folder,
      env: withoutOuterNpm(),
      maxBuffer: 1e8,
    });
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n').slice(-20).join('\n') : String(error);
    throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${said}`, { cause: error });
  }
}

/** What "npm run" sets would make the inner npm work on the outer project. */
function withoutOuterNpm(): NodeJS.ProcessEnv {
  const outer = /^npm_(?:config_(?:user_agent|local_prefix|prefix)|package_|lifecycle_|command)/iu;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)));
}

async function link(path: string, target: string): Promise<void> {
  await rm(path, { force: true });
  await symlink(target, path);
}

/** A folder is made by one, whoever else tries. */
async function takeLock(): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const made = await stat(lock).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > oldLock) await rmdir(lock).catch(() => undefined);
    return false;
  }
}

if (import.meta.main) await installServer();
