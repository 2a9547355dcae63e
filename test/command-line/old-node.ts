import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** A Node on the PATH that is too old to run the product itself, as a user's system may have; undefined where there is none. */
export async function oldNode(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const program = join(folder, 'node');
    const version = await versionOf(program);
    if (version !== undefined && version >= 20 && version < 24) return program;
  }
  return undefined;
}

async function versionOf(program: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version']);
    return Number(/^v(\d+)/u.exec(stdout)?.[1]);
  } catch {
    return undefined;
  }
}
