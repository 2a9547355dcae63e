import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'mocha';
import { extensions } from 'vscode';
import { RemoteError } from '#protocol/rpc.ts';
import type { StartRequest } from '#protocol/runtime-api.ts';
import { greeterTurns } from '../../command-line/greeter.ts';
import { CurrentRun } from '../../../extension/current-run.ts';
import { RuntimeThread } from '../../../extension/runtime-thread.ts';
import { greeterProject, statusAtEnd, statusOf, untilEvent } from './build-fixture.ts';

/** The runtime in its thread with the run that a window shows, as the extension composes them. */
interface Composed {
  readonly thread: RuntimeThread;
  readonly run: CurrentRun;
  readonly deaths: string[];
  /** In order: the store of each view that was shown, `none` where none was. */
  readonly shown: string[];
}

function compose(): Composed {
  const deaths: string[] = [];
  const shown: string[] = [];
  const root = extensions.getExtension('swarmwright.swarmwright')?.extensionPath ?? '';
  const thread: RuntimeThread = new RuntimeThread(
    join(root, 'dist/worker.js'),
    {
      events: (store, events) => {
        run.take(store, events);
      },
      ended: (store, outcome) => {
        run.ended(store, outcome);
      },
      freed: (store) => {
        run.freed(store);
      },
      log: () => undefined,
      chat: async () => Promise.reject(new Error('no model of the editor is used')),
      cancelChat: () => undefined,
    },
    ({ reason }) => {
      deaths.push(reason);
      run.forget();
    },
  );
  const run = new CurrentRun(thread, (error) => assert.fail(String(error)));
  run.onDidChange((view) => shown.push(view?.store ?? 'none'));
  return { thread, run, deaths, shown };
}

async function request(command?: string): Promise<StartRequest> {
  const project = await greeterProject(greeterTurns(command));
  return {
    specPath: join(project, 'spec.md'),
    playbook: join(project, 'playbook.yaml'),
    workspace: join(project, 'workspace'),
    store: join(await mkdtemp(join(tmpdir(), 'store-')), 'run'),
    models: {},
    verify: 'node greet.mjs',
    caps: { tasks: 10, depth: 3, concurrency: 2 },
    land: true,
    unsandboxed: false,
    environment: {},
  };
}

function isBusy(error: unknown): boolean {
  return RemoteError.is(error, 'Window', 'busy');
}

suite('the life of a run', () => {
  test('outlives the death of the runtime: it is shown again and goes on', async () => {
    const { thread, run, deaths } = compose();
    const { store } = await run.start(await request('sleep 7'));
    await untilEvent(store, 'task.started', 2);
    const pending = thread.api.transcriptPage(store, 'root@1', 0);
    await Promise.all([
      thread.kill(),
      assert.rejects(pending, (error) => RemoteError.is(error, 'Rpc', 'gone')),
    ]);
    assert.equal(deaths.length, 1);
    assert.equal(run.view, undefined);
    const again = await run.open(store);
    assert.equal(again.mode, 'open');
    assert.equal(again.state.status, 'running');
    await run.resume({ store, caps: {}, environment: {} });
    assert.equal(await statusAtEnd(store), 'green');
    await thread.dispose();
  });

  test('ends within a second when the window is closed, and can be resumed', async () => {
    const { thread, run } = compose();
    const { store } = await run.start(await request('sleep 7'));
    await untilEvent(store, 'task.started', 2);
    const start = performance.now();
    await thread.dispose();
    assert.ok(performance.now() - start < 1000, `it took ${performance.now() - start} ms`);
    assert.equal((await statusOf(store))['active'], false);
    const later = compose();
    await later.run.resume({ store, caps: {}, environment: {} });
    await untilEvent(store, 'verify.passed');
    await later.thread.dispose();
  });

  test('starts nothing while nothing is asked', async () => {
    const { thread, run } = compose();
    await run.close();
    assert.equal(thread.isRunning, false);
    await thread.dispose();
  });

  test('what is asked at once is done in order, and one run is shown', async () => {
    const { thread, run, shown } = compose();
    const one = await run.start(await request());
    await statusAtEnd(one.store);
    const two = await run.start(await request());
    await statusAtEnd(two.store);
    await Promise.all([run.close(), run.open(one.store), run.open(two.store)]);
    assert.deepEqual(shown, [one.store, two.store, 'none', one.store, two.store]);
    assert.equal(run.view?.store, two.store);
    await thread.dispose();
  });

  test('a build that is asked for while one runs, or begins, does not end it', async () => {
    const { thread, run } = compose();
    const [first, second] = await Promise.all([request('sleep 2'), request()]);
    const begun = run.start(first);
    await assert.rejects(run.start(second), isBusy);
    const { store } = await begun;
    await assert.rejects(run.resume({ store: `${store}-other`, caps: {}, environment: {} }), isBusy);
    assert.equal(run.view?.store, store);
    assert.equal(await statusAtEnd(store), 'green');
    await thread.dispose();
  });

  test('a run that cannot be started leaves the one that is shown', async () => {
    const { thread, run } = compose();
    const good = await request();
    const { store } = await run.start(good);
    await statusAtEnd(store);
    await assert.rejects(run.start({ ...good, specPath: '/nowhere' }), (error) =>
      RemoteError.is(error, 'SpecError', 'missing'),
    );
    assert.equal(run.view?.store, store);
    await assert.rejects(
      run.resume({ store, caps: {}, models: { worker: 'openai/x' }, environment: {} }),
      (error) => RemoteError.is(error, 'ModelError', 'no-key'),
    );
    assert.equal(run.view?.mode, 'open');
    assert.equal((await thread.api.snapshot(store)).version, run.view?.state.version);
    await thread.dispose();
  });

  test('two windows: the second follows live, and takes over once the first is gone', async () => {
    const [first, second] = [compose(), compose()];
    const { store } = await first.run.start(await request('sleep 7'));
    await untilEvent(store, 'task.started', 2);
    const view = await second.run.open(store);
    assert.equal(view.mode, 'following');
    await assert.rejects(second.run.resume({ store, caps: {}, environment: {} }), (error) =>
      RemoteError.is(error, 'JournalError', 'in-use'),
    );
    assert.equal(second.run.view?.mode, 'following');
    const freed = new Promise<void>((resolve) => {
      second.run.onDidChange((shown) => {
        if (shown?.mode === 'open') resolve();
      });
    });
    await first.thread.dispose();
    await freed;
    await second.run.resume({ store, caps: {}, environment: {} });
    assert.equal(second.run.view?.mode, 'driving');
    await untilEvent(store, 'verify.passed');
    await second.thread.dispose();
  });
});
