import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gatedRun } from './testing/gated-run.ts';
import { inThread, TestHost } from './testing/test-host.ts';

it('a thread that is killed in the middle of a run leaves a store that the next one resumes', async () => {
  await using run = await gatedRun();
  const state = join(run.folder, 'state');
  const first = new TestHost(inThread(state));
  const { store } = await first.start(run);
  await first.kill();
  await run.openGate();
  const second = new TestHost(inThread(state));
  try {
    const [summary] = await second.api.runsOf(run.workspace);
    expect(summary).toMatchObject({ store, status: 'running' });
    expect(summary?.owner).toBeUndefined();
    await second.show(await second.api.resumeRun({ store, caps: {}, environment: {} }));
    await second.until(() => second.outcomes.length > 0);
    expect(second.outcomes).toEqual([{ kind: 'ended', status: 'complete' }]);
  } finally {
    await second.close();
  }
});

it('shuts down in the middle of a run, which is then interrupted', async () => {
  await using run = await gatedRun();
  const state = join(run.folder, 'state');
  const host = new TestHost(inThread(state));
  await host.start(run);
  await host.close();
  const next = new TestHost(inThread(state));
  try {
    expect(await next.api.runsOf(run.workspace)).toMatchObject([{ status: 'interrupted' }]);
  } finally {
    await next.close();
  }
});
