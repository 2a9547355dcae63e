import { cp, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatedRun, type GatedRun } from './testing/gated-run.ts';
import { inProcess, TestHost } from './testing/test-host.ts';

const agent = 'root/hello@1';

let run: GatedRun;
let host: TestHost;
beforeEach(async () => {
  run = await gatedRun();
  host = new TestHost(inProcess(join(run.folder, 'state')));
});
afterEach(async () => {
  await host.close();
  await run[Symbol.asyncDispose]();
});

describe('the transcript of an agent', () => {
  it('comes with what its calls have cost, and grows while it works', async () => {
    const { store } = await host.start(run);
    await host.until(() => host.projection.ledger.total.calls === 2);
    const first = await host.api.transcriptPage(store, agent, 0);
    expect(first.items.map(({ kind }) => kind)).toEqual(['system', 'user', 'assistant']);
    expect(first.costs).toEqual([['worker root/hello 1 1', 0]]);
    expect(first.isLive).toBe(true);
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    const rest = await host.api.transcriptPage(store, agent, first.items.length);
    expect(rest.items.map(({ kind }) => kind)).toEqual(['tool', 'assistant', 'tool', 'tool']);
    expect(rest.isLive).toBe(false);
    expect(await host.api.agentsOf(store, 'root/hello')).toEqual([agent]);
  });

  it('is read from the store when nobody shows the run, which stays free for others', async () => {
    const { store } = await host.start(run);
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    const shown = await host.api.transcriptPage(store, agent, 0);
    await host.api.closeRun(store);
    expect(await host.api.transcriptPage(store, agent, 0)).toEqual(shown);
    expect((await host.api.openRun(store)).mode).toBe('open');
  });

  it('is missed in words when the store is gone', async () => {
    const store = join(run.folder, 'state', 'runs', 'shop', 'nowhere');
    await expect(host.api.transcriptPage(store, agent, 0)).rejects.toMatchObject({
      area: 'JournalError',
      code: 'no-store',
    });
  });

  it('is not read from a store that lies elsewhere, wherever a link leads, unless the run is shown', async () => {
    const { store } = await host.start(run);
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    await host.api.closeRun(store);
    const elsewhere = join(run.folder, 'elsewhere');
    await cp(store, elsewhere, { recursive: true });
    const link = join(dirname(store), 'link');
    await symlink(elsewhere, link);
    const around = `${dirname(store)}/../../../elsewhere`;
    for (const other of [elsewhere, link, around]) {
      await expect(host.api.transcriptPage(other, agent, 0)).rejects.toMatchObject({
        area: 'RunError',
        code: 'not-open',
      });
    }
    await host.api.openRun(elsewhere);
    expect((await host.api.transcriptPage(elsewhere, agent, 0)).items.length).toBeGreaterThan(3);
  });
});
