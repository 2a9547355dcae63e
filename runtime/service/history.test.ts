import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gatedRun } from './testing/gated-run.ts';
import { inProcess, TestHost } from './testing/test-host.ts';

it('what a run only counts is told one by one, as far as it has come', async () => {
  await using run = await gatedRun();
  const host = new TestHost(inProcess(join(run.folder, 'state')));
  try {
    const { store } = await host.start(run);
    await host.until(() => host.projection.tasks.get('root/hello')?.state === 'running');
    const begun = await host.api.taskHistory(store, 'root/hello');
    expect(begun).toMatchObject({ attempts: [{ attempt: 1, end: { kind: 'running' } }] });
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    const { attempts, commits } = await host.api.taskHistory(store, 'root/hello');
    expect(attempts).toMatchObject([{ attempt: 1, end: { kind: 'ended', state: 'done' } }]);
    expect(commits).toMatchObject([{ role: 'worker', paths: ['hello.txt'] }]);
    expect(await host.api.conflictHistory(store)).toEqual([]);
    expect(await host.api.commitsBelow(store, 'field-guide')).toEqual([]);
    const commit = commits[0]?.commit ?? '';
    const bytes = await host.api.fileAt(store, commit, 'hello.txt');
    expect(new TextDecoder().decode(bytes)).toBe('hello\n');
    expect(await host.api.fileAt(store, commit, 'other.txt')).toBeUndefined();
    await expect(host.api.fileAt(store, '0'.repeat(64), 'hello.txt')).rejects.toMatchObject({
      code: 'unknown-snapshot',
    });
  } finally {
    await host.close();
  }
});
