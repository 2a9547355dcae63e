import { describe, expect, it } from 'vitest';
import type { DashboardRun, RunAction } from '#protocol/dashboard-api.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import { RunHistory } from '#protocol/history.ts';
import { RunProjection } from '#protocol/projection.ts';
import { committed, numbered, parked, started, tree } from '#protocol/projection-samples.ts';
import { DashboardHost, type DashboardRuntime, type ShownRun } from './dashboard-host.ts';

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

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A run of which so many events have happened, and the runtime that has it. */
class Run implements ShownRun {
  readonly store: string;
  readonly mode = 'driving';
  readonly state = new RunProjection();
  readonly history = new RunHistory();
  readonly #events: readonly RunEvent[];

  constructor(store: string, bodies: readonly RunEventBody[], begun: number) {
    this.store = store;
    this.#events = numbered(bodies);
    this.happen(begun);
  }

  /** The next events. */
  happen(count: number): readonly RunEvent[] {
    const next = this.#events.slice(this.state.version, this.state.version + count);
    for (const event of next) {
      this.state.apply(event);
      this.history.apply(event);
    }
    return next;
  }
}

interface Opened {
  readonly host: DashboardHost;
  /** What the page was told. */
  readonly told: (readonly RunEvent[] | DashboardRun | undefined)[];
  /** What was done for it. */
  readonly done: string[];
  readonly show: (run: Run | undefined) => void;
  /** Snapshots that the runtime has made. */
  readonly snapshots: () => number;
}

function open(first: Run | undefined): Opened {
  let [shown, snapshots] = [first, 0];
  const [told, done]: [Opened['told'], string[]] = [[], []];
  const mustBeShown = (): Run => {
    if (!shown) throw new Error('the host asks for a run that is not shown');
    return shown;
  };
  const runtime: DashboardRuntime = {
    snapshot: async () => {
      snapshots += 1;
      const { version } = mustBeShown().state;
      return { version, json: JSON.stringify(mustBeShown().state.snapshot()) };
    },
    taskHistory: async (_store, task) => mustBeShown().history.task(task),
    conflictHistory: async () => mustBeShown().history.conflicts,
    blob: async (_store, hash) => bytes(texts.get(hash) ?? ''),
    fileAt: async (_store, commit, path) => bytes(`${path} at ${commit}\n`),
    trunkFiles: async (_store, folder) => [{ path: `${folder}/index.md`, bytes: bytes('# Guide\n') }],
    commitsBelow: async (_store, folder) => mustBeShown().history.commitsBelow(folder),
  };
  const host = new DashboardHost({
    runtime: () => runtime,
    run: () => shown,
    view: {
      events: (_store, events) => told.push(events),
      changed: (run) => told.push(run),
    },
    actions: {
      act: async (action: RunAction) => void done.push(action),
      openTranscript: async (task, attempt) => void done.push(`transcript ${task}@${attempt}`),
      showChanges: async (task) => void done.push(`changes ${task}`),
      painted: () => done.push('painted'),
    },
  });
  const show = (run: Run | undefined): void => {
    shown = run;
    host.changed();
  };
  return { host, told, done, show, snapshots: () => snapshots };
}

const all = [...tree, started('root/b'), conflict, settling];
const runAt = (events: number): Run => new Run('/s', all, events);

describe("the dashboard's host", () => {
  it('fetches the snapshot before the page asks, and adds what has happened since', async () => {
    const run = runAt(tree.length);
    const { host, snapshots } = open(run);
    expect(snapshots()).toBe(1);
    host.told(run, run.happen(1));
    const snapshot = await host.snapshot();
    expect(snapshots()).toBe(1);
    expect(JSON.parse(snapshot?.json ?? '')).toMatchObject({ version: tree.length });
    expect(snapshot?.later.map(({ type }) => type)).toEqual(['task.started']);
  });

  it('tells events once the page has asked for a snapshot, and none before or while it is hidden', async () => {
    const run = runAt(tree.length);
    const { host, told } = open(run);
    host.told(run, run.happen(1));
    expect(told).toEqual([]);
    await host.snapshot();
    host.told(run, run.happen(1));
    expect(told).toMatchObject([[{ type: 'vcs.parked' }]]);
    host.hide();
    host.told(run, run.happen(1));
    expect(told).toHaveLength(1);
  });

  it('a page that is seen again gets a new snapshot', async () => {
    const run = runAt(tree.length);
    const { host, snapshots } = open(run);
    await host.snapshot();
    host.hide();
    host.told(run, run.happen(2));
    host.fetch();
    expect(JSON.parse((await host.snapshot())?.json ?? '')).toMatchObject({ version: tree.length + 2 });
    expect(snapshots()).toBe(2);
  });

  it('tells that another run is shown, that its mode has changed, and that there is none', async () => {
    const run = runAt(tree.length);
    const { host, told, show } = open(run);
    await host.snapshot();
    host.told(run, []);
    show(new Run('/t', all, 1));
    show(undefined);
    expect(told).toEqual([{ store: '/s', mode: 'driving' }, { store: '/t', mode: 'driving' }, undefined]);
    expect(await host.snapshot()).toBeUndefined();
    await expect(host.conflicts()).rejects.toMatchObject({ code: 'no-run' });
  });

  it('gives away sides and resolutions of conflicts, and no other file', async () => {
    const { host, show } = open(runAt(all.length));
    await expect(host.side(base)).rejects.toMatchObject({ code: 'unknown' });
    expect(await host.conflicts()).toMatchObject([{ task: 'root/b', outcome: { kind: 'resolved' } }]);
    expect(await host.side(base)).toEqual({ kind: 'text', text: 'base\n', isCut: false });
    expect(await host.resolution('c2', 'src/a.js')).toMatchObject({ text: 'src/a.js at c2\n' });
    await expect(host.side(other)).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.resolution('c2', 'src/b.js')).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.resolution('c1', 'src/a.js')).rejects.toMatchObject({ code: 'unknown' });
    show(new Run('/t', all, all.length));
    await expect(host.side(base)).rejects.toMatchObject({ code: 'unknown' });
  });

  it('does what is asked for tasks and attempts that there are', async () => {
    const { host, done } = open(runAt(all.length));
    await host.openTranscript('root/b', 1);
    await host.showChanges('root/b');
    await host.act('pause');
    await host.painted();
    expect(done).toEqual(['transcript root/b@1', 'changes root/b', 'pause', 'painted']);
    await expect(host.openTranscript('root/b', 2)).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.openTranscript('root/z', 1)).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.showChanges('../x')).rejects.toMatchObject({ code: 'unknown' });
    await expect(host.taskHistory('root/z')).rejects.toMatchObject({ code: 'unknown' });
    expect(done).toHaveLength(4);
  });

  it('reads the Field Guide from trunk, with its budget and its authors', async () => {
    const guide = await open(runAt(all.length)).host.fieldGuide();
    expect(guide.files).toEqual([
      { path: 'field-guide/index.md', content: { kind: 'text', text: '# Guide\n', isCut: false } },
    ]);
    expect(guide.budget).toMatchObject({ indexLines: 120, folderLines: 600 });
    expect(guide.commits).toEqual([]);
  });
});
