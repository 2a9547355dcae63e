import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Command lines of processes that sleep for so many seconds: a test chooses a number that no other process has. */
export async function sleepersFor(seconds: string): Promise<readonly string[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const lines = await Promise.all(
    processes.map(async (pid) => readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line === `sleep\0${seconds}\0`);
}
