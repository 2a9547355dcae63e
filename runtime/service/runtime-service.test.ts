import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatedRun, type GatedRun } from './testing/gated-run.ts';
import { inProcess, TestHost } from './testing/test-host.ts';

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

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

describe('a run that is started over a channel', () => {
  it('tells its events and its end, and stays open to be looked at', async () => {
    const { store } = await host.start(run);
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    expect(host.outcomes).toEqual([{ kind: 'ended', status: 'complete' }]);
    // What it has built is offered for review behind its end.
    await host.until(() => host.projection.review.landing !== undefined);
    const { json } = await host.api.snapshot(store);
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(host.projection.snapshot())));
    const files = await host.api.trunkFiles(store, '');
    expect(files.map(({ path, bytes }) => [path, text(bytes)])).toEqual([['hello.txt', 'hello\n']]);
    const changes = await host.api.changesOf(store, 'root/hello');
    expect(changes.map(({ path, before, after }) => [path, before, text(after)])).toEqual([
      ['hello.txt', undefined, 'hello\n'],
    ]);
    const { items } = await host.api.transcriptPage(store, 'root/hello@1', 0);
    expect(items.map(({ kind }) => kind)).toContain('assistant');
    expect(await host.api.runsOf(run.workspace)).toMatchObject([{ store, status: 'complete', tasks: 2 }]);
  });

  it('sends its events in batches, without gaps', async () => {
    await host.start(run);
    await run.openGate();
    await host.until(() => host.outcomes.length > 0);
    const sequences = host.batches.flat().map(({ sequence }) => sequence);
    const [first = 0] = sequences;
    expect(sequences).toEqual(Array.from(sequences, (_, index) => first + index));
    expect(sequences.at(-1)).toBe(host.projection.version);
    expect(host.batches.length).toBeLessThan(sequences.length / 2);
  });

  it('makes no model call while it is paused, and goes on where it was', async () => {
    const { store } = await host.start(run);
    const reserved = (): number => host.batches.flat().filter(({ type }) => type === 'call.reserved').length;
    await host.api.pauseRun(store);
    await host.until(() => host.projection.paused);
    const reservedBefore = reserved();
    await run.openGate();
    await host.until(() => host.batches.flat().some(({ type }) => type === 'command.ran'));
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect(reserved()).toBe(reservedBefore);
    expect(host.projection).toMatchObject({ paused: true, status: 'running' });
    await host.api.continueRun(store);
    await host.until(() => host.outcomes.length > 0);
    expect(host.outcomes).toEqual([{ kind: 'ended', status: 'complete' }]);
    expect(reserved()).toBeGreaterThan(reservedBefore);
  });

  it('is stopped, also while it is paused, and resumed to its end', async () => {
    const { store } = await host.start(run);
    await host.api.pauseRun(store);
    await host.api.stopRun(store);
    await host.until(() => host.outcomes.length > 0);
    expect(host.outcomes).toEqual([{ kind: 'ended', status: 'interrupted' }]);
    expect(host.projection).toMatchObject({ paused: false, status: 'interrupted' });
    await run.openGate();
    const { environment } = run.start;
    expect(await host.api.resumeRun({ store, caps: {}, environment })).toMatchObject({ mode: 'driving' });
    await host.until(() => host.outcomes.length > 1);
    expect(host.outcomes[1]).toEqual({ kind: 'ended', status: 'complete' });
  });

  it('is stopped when everything is asked for at once', async () => {
    const { store } = await host.start(run);
    await host.api.stopRun(store);
    await host.api.closeRun(store);
    const { environment } = run.start;
    const opened = await Promise.all([
      host.api.openRun(store),
      host.api.openRun(store),
      host.api.resumeRun({ store, caps: {}, environment }),
      host.api.openRun(store),
      host.api.resumeRun({ store, caps: {}, environment }),
    ]);
    expect(opened.map(({ mode }) => mode)).toEqual(['open', 'open', 'driving', 'driving', 'driving']);
    await Promise.all([host.api.openRun(store), host.api.stopRun(store)]);
    await host.until(() => host.outcomes.length > 1);
    expect(host.outcomes[1]).toEqual({ kind: 'ended', status: 'interrupted' });
    await Promise.all([host.api.closeRun(store), host.api.closeRun(store)]);
    // Nothing in this process owns it any more.
    const [found] = await host.api.runsOf(run.workspace);
    expect(found).not.toHaveProperty('owner');
  });

  it('is followed by a second runtime, which can neither drive nor read its version control', async () => {
    const { store } = await host.start(run);
    const second = new TestHost(inProcess(join(run.folder, 'state')));
    try {
      expect(await second.api.openRun(store)).toMatchObject({ mode: 'following' });
      const resumed = second.api.resumeRun({ store, caps: {}, environment: {} });
      await expect(resumed).rejects.toMatchObject({ area: 'JournalError', code: 'in-use' });
      await second.api.openRun(store);
      await expect(second.api.trunkFiles(store, '')).rejects.toMatchObject({ code: 'not-owned' });
      const { version } = await second.api.snapshot(store);
      await run.openGate();
      await second.until(() => second.batches.flat().some(({ type }) => type === 'run.ended'));
      expect(second.batches.flat()[0]?.sequence).toBe(version + 1);
      expect(second.freed).toEqual([]);
      await host.api.closeRun(store);
      await second.until(() => second.freed.length > 0);
      await second.api.closeRun(store);
      expect(await second.api.openRun(store)).toMatchObject({ mode: 'open' });
    } finally {
      await second.close();
    }
  });
});

describe('what goes wrong', () => {
  it('crosses the channel with its class, its code and its facts', async () => {
    const started = host.api.startRun({ ...run.start, specPath: '/nowhere.md' });
    await expect(started).rejects.toMatchObject({
      area: 'SpecError',
      code: 'missing',
      details: { path: '/nowhere.md' },
    });
    await expect(host.api.snapshot('/nowhere')).rejects.toMatchObject({ area: 'RunError', code: 'not-open' });
  });

  it('leaves nothing pending when the other side is closed', async () => {
    await host.start(run);
    const pending = host.api.runsOf(run.workspace);
    host.rpc.close();
    await expect(pending).rejects.toMatchObject({ area: 'Rpc', code: 'gone' });
    // For the end of the test.
    host = new TestHost(inProcess(join(run.folder, 'state')));
  });

  it('cannot be made worse by calling what is no function of the interface', async () => {
    const remote: unknown = host.api;
    if (typeof remote !== 'object' || remote === null || !('constructor' in remote)) return;
    const call = Reflect.get(remote, 'toString');
    await expect(Promise.resolve(Reflect.apply(call, remote, []))).rejects.toThrow('not found');
  });
});
