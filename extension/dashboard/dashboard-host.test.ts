import { describe, expect, it } from 'vitest';
import type { DashboardRun, RunAction } from '#protocol/dashboard-api.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import { committed, parked, started, tree } from '#protocol/projection-samples.ts';
import { DashboardHost } from './dashboard-host.ts';
import { TestRun } from './test-run.ts';

const [base, ours] = ['a'.repeat(64), 'b'.repeat(64)];
const other = 'c'.repeat(64);
const texts = new Map([
  [base, 'base\n'],
  [ours, 'ours\n'],
  [other, 'secret\n'],
]);
const conflict: RunEventBody = {
  ...parked(2, 'root/b', 'one'),
  type: 'vcs.parked',
  position: 2,
  parked: 'one',
  task: 'root/b',
  round: 1,
  conflicts: [
    {
      path: 'src/a.js',
      kind: 'content',
      base: { hash: base, mode: 'file', size: 5 },
      ours: { hash: ours, mode: 'file', size: 5 },
      trunkTasks: ['root/a'],
      task: 'root/b',
    },
  ],
};
const settling = committed(3, 'root/b', { role: 'resolver', resolves: 'one' });

interface Opened {
  readonly host: DashboardHost;
  /** What the page was told. */
  readonly told: (readonly RunEvent[] | DashboardRun | undefined)[];
  /** What was done for it. */
  readonly done: string[];
  readonly show: (run: TestRun | undefined) => void;
}

function open(first: TestRun | undefined): Opened {
  let shown = first;
  const [told, done]: [Opened['told'], string[]] = [[], []];
  const host = new DashboardHost({
    runtime: () => {
      if (shown) return shown.runtime;
      throw new Error('the host asks for a run that is not shown');
    },
    run: () => shown,
    view: {
      events: (_store, events) => told.push(events),
      changed: (run) => told.push(run),
    },
    actions: {
      act: async (action: RunAction) => void done.push(action),
      openTranscript: async (task, attempt) => void done.push(`transcript ${task}@${attempt}`),
      showChanges: async (task) => void done.push(`changes ${task}`),
      reviewLanding: async () => void done.push('review'),
      painted: () => done.push('painted'),
    },
  });
  const show = (run: TestRun | undefined): void => {
    shown = run;
    host.changed();
  };
  return { host, told, done, show };
}

function runOf(store: string, ...bodies: readonly RunEventBody[]): TestRun {
  const run = new TestRun(store, texts);
  run.happen(...bodies);
  return run;
}

const all = [...tree, started('root/b'), conflict, settling];
const begunRun = (): TestRun => runOf('/s', ...tree);
const wholeRun = (store = '/s'): TestRun => runOf(store, ...all);

describe("the dashboard's host", () => {
  it('fetches the snapshot before the page asks, and adds what has happened since', async () => {
    const run = begunRun();
    const { host } = open(run);
    expect(run.snapshots).toBe(1);
    host.told(run, run.happen(started('root/b')));
    const snapshot = await host.snapshot();
    expect(run.snapshots).toBe(1);
    expect(JSON.parse(snapshot?.json ?? '')).toMatchObject({ version: tree.length });
    expect(snapshot?.later.map(({ type }) => type)).toEqual(['task.started']);
  });

  it('tells events once the page has asked for a snapshot, and none before or while it is hidden', async () => {
    const run = begunRun();
    const { host, told } = open(run);
    host.told(run, run.happen(started('root/b')));
    expect(told).toEqual([]);
    await host.snapshot();
    host.told(run, run.happen(conflict));
    expect(told).toMatchObject([[{ type: 'vcs.parked' }]]);
    host.hide();
    host.told(run, run.happen(settling));
    expect(told).toHaveLength(1);
  });

  it('a page that is seen again gets a new snapshot', async () => {
    const run = begunRun();
    const { host } = open(run);
    await host.snapshot();
    host.hide();
    host.told(run, run.happen(started('root/b'), conflict));
    host.fetch();
    expect(JSON.parse((await host.snapshot())?.json ?? '')).toMatchObject({ version: tree.length + 2 });
    expect(run.snapshots).toBe(2);
  });

  it('tells that another run is shown, that its mode has changed, and that there is none', async () => {
    const run = begunRun();
    const { host, told, show } = open(run);
    await host.snapshot();
    host.told(run, []);
    show(runOf('/t', tree[0] ?? settling));
    show(undefined);
    expect(told).toEqual([{ store: '/s', mode: 'driving' }, { store: '/t', mode: 'driving' }, undefined]);
    expect(await host.snapshot()).toBeUndefined();
    await expect(host.conflicts()).rejects.toMatchObject({ code: 'no-run' });
  });

  it('gives away sides and resolutions of conflicts, and no other file', async () => {
    const { host, show } = open(wholeRun());
    await expect(host.side(base)).rejects.toMatchObject({ code: 'unknown' });
    expect(await host.conflicts()).toMatchObject([{ task: 'root/b', outcome: { kind: 'resolved' } }]);
    expect(await host.side(base)).toEqual({ kind: 'text', text: 'base\n', isCut: false });
    expect(await host.resolution('c2', 'src/a.js')).toMatchObject({ text: 'src/a.js at c2\n' });
    await expect(host.side(other)).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.resolution('c2', 'src/b.js')).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.resolution('c1', 'src/a.js')).rejects.toMatchObject({ code: 'unknown' });
    show(wholeRun('/t'));
    await expect(host.side(base)).rejects.toMatchObject({ code: 'unknown' });
  });

  it('does what is asked for tasks and attempts that there are', async () => {
    const { host, done } = open(wholeRun());
    await host.openTranscript('root/b', 1);
    await host.showChanges('root/b');
    await host.act('pause');
    await host.reviewLanding();
    await host.painted();
    expect(done).toEqual(['transcript root/b@1', 'changes root/b', 'pause', 'review', 'painted']);
    await expect(host.openTranscript('root/b', 2)).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.openTranscript('root/z', 1)).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.showChanges('../x')).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.taskHistory('root/z')).rejects.toMatchObject({ code: 'unknown' });
    expect(done).toHaveLength(5);
  });

  it('reads the Field Guide from trunk, with its budget and its authors', async () => {
    const guide = await open(wholeRun()).host.fieldGuide();
    expect(guide.files).toEqual([
      { path: 'field-guide/index.md', content: { kind: 'text', text: '# Guide\n', isCut: false } },
    ]);
    expect(guide.budget).toMatchObject({ indexLines: 120, folderLines: 600 });
    expect(guide.commits).toEqual([]);
  });
});
