import { describe, expect, it, vi } from 'vitest';
import type { DashboardSnapshot } from '#protocol/dashboard-api.ts';
import type { RunEvent, RunEventBody } from '#protocol/events.ts';
import { committed, ended, fold, numbered, started, tree } from '#protocol/projection-samples.ts';
import type { Timers } from './pace.ts';
import { RunStore, type Shown } from './run-store.ts';

/** Time that the test moves. */
class MovedTime implements Timers {
  #now = 0;
  #steps: { readonly at: number; readonly step: () => void }[] = [];

  now(): number {
    return this.#now;
  }
  after(milliseconds: number, step: () => void): void {
    this.#steps.push({ at: this.#now + milliseconds, step });
  }
  frame(step: () => void): void {
    this.after(0, step);
  }
  move(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = this.#steps.filter(({ at }) => at <= end).toSorted((left, right) => left.at - right.at)[0];
      if (!due) break;
      this.#steps = this.#steps.filter((step) => step !== due);
      this.#now = Math.max(this.#now, due.at);
      due.step();
    }
    this.#now = end;
  }
}

const later = [started('root/b'), committed(2, 'root/b'), ended('root/b')];
const events = numbered([...tree, ...later]);
const after = (sequence: number): readonly RunEvent[] => events.slice(sequence);

function snapshotOf(bodies: readonly RunEventBody[], more: readonly RunEvent[] = []): DashboardSnapshot {
  const json = JSON.stringify(fold(...bodies).snapshot());
  return { store: '/s', mode: 'driving', json, later: more };
}

interface Opened {
  readonly store: RunStore;
  readonly time: MovedTime;
  /** How often a snapshot was asked for. */
  readonly asked: () => number;
}

/** A store whose host gives these snapshots, one after another, the last one again and again. */
async function open(...snapshots: readonly (DashboardSnapshot | undefined)[]): Promise<Opened> {
  let count = 0;
  const time = new MovedTime();
  const snapshot = async (): Promise<DashboardSnapshot | undefined> => {
    count += 1;
    return snapshots[Math.min(count, snapshots.length) - 1];
  };
  const store = new RunStore({ snapshot }, time, () => time.now());
  await store.load();
  return { store, time, asked: () => count };
}

function shownRun(store: RunStore): Extract<Shown, { kind: 'run' }> {
  if (store.shown.kind !== 'run') throw new Error(`${store.shown.kind} is shown`);
  return store.shown;
}

describe('the run that the page shows', () => {
  it('goes on from a snapshot with the events that follow on it', async () => {
    const { store } = await open(snapshotOf(tree, after(tree.length).slice(0, 1)));
    expect(shownRun(store).state.task('root/b').state).toBe('running');
    store.events('/s', after(tree.length));
    expect(shownRun(store).state.task('root/b').state).toBe('done');
    expect(shownRun(store).state.version).toBe(events.length);
  });

  it('takes in what came while the snapshot was on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<DashboardSnapshot>();
    const time = new MovedTime();
    const store = new RunStore({ snapshot: async () => promise }, time, () => 0);
    const loaded = store.load();
    store.events('/s', after(tree.length));
    expect(store.shown.kind).toBe('loading');
    resolve(snapshotOf(tree));
    await loaded;
    expect(shownRun(store).state.version).toBe(events.length);
  });

  it('asks for a new snapshot when an event is missing, and keeps the old state in sight until it comes', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const { store, time, asked } = await open(snapshotOf(tree), snapshotOf([...tree, ...later]));
    time.move(2000);
    store.events('/s', after(tree.length + 1));
    expect(shownRun(store).state.version).toBe(tree.length);
    await vi.waitFor(() => {
      expect(shownRun(store).state.version).toBe(events.length);
    });
    expect(asked()).toBe(2);
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it('does not ask in a loop when a snapshot does not help', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const { store, time, asked } = await open(snapshotOf(tree));
    for (let count = 0; count < 5; count += 1) store.events('/s', after(tree.length + 1));
    expect(asked()).toBe(1);
    time.move(1000);
    await vi.waitFor(() => {
      expect(asked()).toBe(2);
    });
    await Promise.resolve();
    expect(asked()).toBe(2);
    warned.mockRestore();
  });

  it('is another one when the host says so, and none when there is none', async () => {
    const other = { ...snapshotOf([...tree, ...later]), store: '/t' };
    const { store } = await open(snapshotOf(tree), other);
    store.changed({ store: '/t', mode: 'open' });
    await vi.waitFor(() => {
      expect(shownRun(store).run.store).toBe('/t');
    });
    store.events('/s', after(tree.length));
    expect(shownRun(store).run.store).toBe('/t');
    store.changed(undefined);
    expect(store.shown).toEqual({ kind: 'none' });
  });

  it('keeps its state when only its mode changes', async () => {
    const { store, asked } = await open(snapshotOf(tree));
    const { state } = shownRun(store);
    store.changed({ store: '/s', mode: 'open' });
    expect(shownRun(store)).toMatchObject({ run: { mode: 'open' } });
    expect(shownRun(store).state).toBe(state);
    expect(asked()).toBe(1);
  });

  it('tells when there is nothing to show, and when it cannot be had', async () => {
    expect((await open(undefined)).store.shown).toEqual({ kind: 'none' });
    const error = new Error('gone');
    const store = new RunStore({ snapshot: async () => Promise.reject(error) }, new MovedTime(), () => 0);
    await store.load();
    expect(store.shown).toEqual({ kind: 'failed', error });
  });

  it('is drawn at most four times a second', async () => {
    const { store, time } = await open(snapshotOf(tree));
    let drawn = 0;
    store.subscribe(() => {
      drawn += 1;
    });
    for (let step = 0; step < 100; step += 1) {
      store.events('/s', []);
      time.move(10);
    }
    expect(drawn).toBeGreaterThanOrEqual(3);
    expect(drawn).toBeLessThanOrEqual(5);
  });

  it('measures the pace of commits from what it sees', async () => {
    const { store } = await open(snapshotOf(tree));
    store.events('/s', after(tree.length));
    expect(shownRun(store).pace.perSecond(10_000)).toBeCloseTo(0.1);
  });
});
