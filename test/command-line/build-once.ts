import { execFile } from 'node:child_process';
import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemScheduler } from '#edges/scheduler.ts';

export const repository: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/u, '');

/** `node dist/cli.js`: what users start. */
export const entry: string = join(repository, 'dist', 'cli.js');

const lock = join(repository, 'node_modules', '.swarmwright-build-lock');
const oldLock = 120_000;

/** Builds `dist` unless it is newer than the sources. Suites run in several processes, so one builds and others wait. */
export async function buildOnce(): Promise<void> {
  while (!(await isBuilt())) {
    if (!(await takeLock())) {
      await systemScheduler.sleep(100);
      continue;
    }
    try {
      if (!(await isBuilt())) await promisify(execFile)('npm', ['run', '-s', 'build'], { cwd: repository });
    } finally {
      await rmdir(lock);
    }
  }
}

/** A folder is made by one, whoever else tries. One that is left over from a killed process counts no more. */
async function takeLock(): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const made = await timeOf(lock);
    if (made !== undefined && Date.now() - made > oldLock) await rmdir(lock).catch(() => undefined);
    return false;
  }
}

async function isBuilt(): Promise<boolean> {
  // The launcher is written last.
  const built = await timeOf(entry);
  if (built === undefined || (await timeOf(lock)) !== undefined) return false;
  return built >= (await newestSource());
}

async function newestSource(): Promise<number> {
  const files = (await readdir(join(repository, 'runtime'), { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name));
  const times = await Promise.all([...files, join(repository, 'esbuild.config.mjs')].map(timeOf));
  return Math.max(...times.map((time) => time ?? 0));
}

async function timeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}
