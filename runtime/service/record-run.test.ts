import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import { gatedRun } from './testing/gated-run.ts';
import { inProcess, TestHost } from './testing/test-host.ts';

it('a run that is shown is recorded on demand, and a folder that holds something stays as it is', async () => {
  await using run = await gatedRun();
  const host = new TestHost(inProcess(join(run.folder, 'state')));
  try {
    const { store } = await host.start(run);
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    const recorded = await host.api.recordRun(store, join(run.folder, 'recorded'));
    expect(recorded).toMatchObject({ turns: 4, concurrency: 1, notes: [] });
    const { turns } = await loadPlaybook(recorded.file, nodeFileSystem);
    expect([...turns.keys()].toSorted()).toEqual([
      'planner root 1 1',
      'planner root 1 2',
      'worker root/hello 1 1',
      'worker root/hello 1 2',
    ]);
    await expect(host.api.recordRun(store, join(run.folder, 'recorded'))).rejects.toMatchObject({
      area: 'RecordingError',
      code: 'not-empty',
    });
  } finally {
    await host.close();
  }
});
