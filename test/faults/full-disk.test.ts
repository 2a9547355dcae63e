import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { defaultCaps } from '#protocol/requests.ts';
import type { RunOutcome, StartRequest } from '#protocol/runtime-api.ts';
import { errorMessage } from '../../extension/messages/error-message.ts';
import { greeterFiles, greeterTurns } from '../command-line/greeter.ts';
import { Project } from '../command-line/project.ts';

vi.setConfig({ testTimeout: 120_000 });

const words = {
  t: (message: string, ...values: (string | number)[]): string =>
    message.replaceAll(/\{(\d+)\}/gu, (_, index: string) => String(values[Number(index)])),
};

it('a disk that fills up in mid-run ends it with a clear message; with room again it goes on to its end', async () => {
  await using project = await Project.create(greeterFiles(greeterTurns('sleep 2')));
  const disk = project.path('disk');
  await mkdir(disk);
  const request: StartRequest = {
    specPath: project.path('spec.md'),
    playbook: project.path('playbook.yaml'),
    workspace: project.path('workspace'),
    store: join(disk, 'run'),
    models: {},
    verify: 'node greet.mjs',
    caps: { ...defaultCaps, concurrency: 2 },
    land: true,
    unsandboxed: false,
    environment: {},
  };
  // A disk of 16 MB, that only this process sees.
  const small = ['--dev-bind', '/', '/', '--size', '16000000', '--tmpfs', disk];
  const program = join(import.meta.dirname, 'full-disk.ts');
  const { stdout } = await promisify(execFile)('bwrap', [
    ...small,
    process.execPath,
    program,
    JSON.stringify(request),
  ]);
  const [full, resumed]: readonly RunOutcome[] = JSON.parse(stdout);
  if (full?.kind !== 'failed') throw new Error(`it was to fail: ${stdout}`);
  const { text, actions } = errorMessage(full.error, words);
  expect(text).toContain('The disk is full');
  expect(text).toContain('What was built until then is safe');
  expect(actions[0]).toEqual({ kind: 'resume' });
  expect(resumed).toEqual({ kind: 'ended', status: 'complete' });
});
