import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeProcesses, type Processes } from '#edges/processes.ts';
import { detectSandbox } from './detect-sandbox.ts';

/** Processes for which a script, or nothing, is `bwrap`. */
async function withBubblewrap(
  script: string | undefined,
  act: (processes: Processes) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'detect-'));
  if (script !== undefined) {
    await writeFile(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'bwrap'), 0o755);
  }
  await act({ start: (spec) => nodeProcesses.start({ ...spec, file: join(folder, spec.file) }) });
  await rm(folder, { recursive: true });
}

describe('detecting the sandbox', () => {
  it('finds bubblewrap where it works', async () => {
    expect(await detectSandbox(nodeProcesses)).toEqual({
      kind: 'bubblewrap',
      version: expect.stringMatching(/^0\.\d+\.\d+$/u),
    });
  });

  it('says that it is not installed', async () => {
    await withBubblewrap(undefined, async (processes) => {
      expect(await detectSandbox(processes)).toEqual({ kind: 'none', reason: 'bwrap is not installed' });
    });
  });

  it('says why it does not work where it is installed', async () => {
    const script = `case $1 in --version) echo bubblewrap 0.9.0 ;; *) echo 'bwrap: No permission to create namespaces' >&2; exit 1 ;; esac`;
    await withBubblewrap(script, async (processes) => {
      expect(await detectSandbox(processes)).toEqual({
        kind: 'none',
        reason: 'bwrap: No permission to create namespaces',
      });
    });
  });

  it('does not take silence for success', async () => {
    await withBubblewrap('exit 0', async (processes) => {
      expect(await detectSandbox(processes)).toMatchObject({
        kind: 'none',
        reason: expect.stringMatching(/./u),
      });
    });
  });
});
