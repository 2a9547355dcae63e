import { nodeFileSystem, type FileSystem } from '#edges/file-system.ts';
import type { Processes } from '#edges/processes.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import { bubblewrapVersion, guardedEntries } from './bubblewrap-launcher.ts';
import { detectToolchains, systemPath } from './toolchains.ts';

export type DetectedSandbox =
  | { readonly kind: 'bubblewrap'; readonly version: string }
  /** `reason`: one line of what was tried and how it failed. */
  | { readonly kind: 'none'; readonly reason: string };

async function tryOut(processes: Processes, fileSystem: FileSystem, version: string): Promise<string> {
  const toolchains = await detectToolchains(fileSystem, process.execPath, [], []);
  const child = processes.start({
    file: 'bwrap',
    args: bubblewrapArguments({
      version,
      toolchains,
      checkout: '/tmp',
      files: new Map(),
      guarded: await guardedEntries(fileSystem),
      command: ['/bin/sh', '-c', 'echo works'],
    }),
    cwd: '/',
    env: { PATH: systemPath.join(':') },
  });
  let output = '';
  child.stdin.end();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
    });
  }
  await child.ended;
  return output.trim();
}

/** Whether there is a sandbox on this machine that really works: it is not enough that the program is there. */
export async function detectSandbox(
  processes: Processes,
  fileSystem: FileSystem = nodeFileSystem,
): Promise<DetectedSandbox> {
  try {
    const version = await bubblewrapVersion(processes);
    const output = await tryOut(processes, fileSystem, version);
    if (output === 'works') return { kind: 'bubblewrap', version };
    return { kind: 'none', reason: output.split('\n', 1)[0] || 'bwrap ended without a word' };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { kind: 'none', reason: missing ? 'bwrap is not installed' : String(error) };
  }
}
