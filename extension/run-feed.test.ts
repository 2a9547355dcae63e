import { describe, expect, it } from 'vitest';
import type { RunEvent } from '#protocol/events.ts';
import { begun, fold, numbered, started, tree } from '#protocol/projection-samples.ts';
import { RunProjection } from '#protocol/projection.ts';
import { RunFeed, type FeedSource } from './run-feed.ts';

const events: readonly RunEvent[] = numbered([...tree, started('root/b')]);

/** What was told, in order. */
interface Told {
  readonly folded: number[];
  readonly replaced: RunProjection[];
  readonly failed: unknown[];
}

function feedOf(
  known: number,
  source: Partial<FeedSource> = {},
): { feed: RunFeed; told: Told; asked: number[] } {
  const told: Told = { folded: [], replaced: [], failed: [] };
  const asked: number[] = [];
  const projection = new RunProjection();
  for (const event of events.slice(0, known)) projection.apply(event);
  const feed = new RunFeed(
    projection,
    {
      // A page of two, so that several are needed.
      events: async (after) => {
        asked.push(after);
        return events.slice(after, after + 2);
      },
      snapshot: async () => Promise.reject(new Error('no snapshot is needed')),
      ...source,
    },
    {
      folded: (list) => {
        told.folded.push(...list.map(({ sequence }) => sequence));
      },
      replaced: (state) => {
        told.replaced.push(state);
      },
      failed: (error) => {
        told.failed.push(error);
      },
    },
  );
  return { feed, told, asked };
}

const all = events.map(({ sequence }) => sequence);

describe('a feed of events', () => {
  it('folds what is new, and passes over what it knows', () => {
    const { feed, told } = feedOf(2);
    feed.take(events.slice(0, 4));
    expect(told.folded).toEqual([3, 4]);
    feed.take(events.slice(2, 4));
    expect(told.folded).toEqual([3, 4]);
  });

  it('fetches what it has missed, in order and to the end', async () => {
    const { feed, told } = feedOf(1);
    feed.take(events.slice(-1));
    await expect.poll(() => told.folded).toEqual(all.slice(1));
    expect(feed.projection.version).toBe(events.length);
    expect(told.failed).toEqual([]);
  });

  it('tells what it could fold of a batch with a hole, then the rest', async () => {
    const { feed, told, asked } = feedOf(1);
    feed.take([...events.slice(1, 3), ...events.slice(4)]);
    expect(told.folded).toEqual([2, 3]);
    await expect.poll(() => told.folded).toEqual(all.slice(1));
    expect(asked[0]).toBe(3);
  });

  it('loses nothing that comes while it fetches', async () => {
    const there = events.slice(0, 4);
    const { promise, resolve } = Promise.withResolvers<void>();
    const { feed, told } = feedOf(1, {
      events: async (after) => {
        const page = there.slice(after);
        await promise;
        return page;
      },
    });
    feed.take(events.slice(3, 4));
    there.push(...events.slice(4));
    feed.take(events.slice(4));
    resolve();
    await expect.poll(() => told.folded).toEqual(all.slice(1));
  });

  it('goes on from a new snapshot where the events contradict what it has', async () => {
    const snapshot = fold(...tree, started('root/b')).snapshot();
    const { feed, told } = feedOf(1, { snapshot: async () => snapshot });
    const [, second] = events;
    if (second === undefined) throw new Error('there are more samples than one');
    feed.take([{ ...second, type: 'task.slept', task: 'root/b', wake: 'all' }]);
    await expect.poll(() => told.replaced.map(({ version }) => version)).toEqual([events.length]);
    expect(told.failed).toEqual([]);
  });

  it('gives up where the snapshot is no newer, and says so once', async () => {
    const { feed, told } = feedOf(1, { snapshot: async () => fold(begun).snapshot() });
    const [, second] = events;
    if (second === undefined) throw new Error('there are more samples than one');
    feed.take([{ ...second, type: 'task.slept', task: 'root/b', wake: 'all' }]);
    await expect.poll(() => told.failed.length).toBe(1);
    feed.take(events);
    expect(told.folded).toEqual([]);
    expect(told.failed).toHaveLength(1);
  });

  it('can go on after what it has missed could not be had', async () => {
    let isBroken = true;
    const { feed, told } = feedOf(1, {
      events: async (after) => {
        if (isBroken) throw new Error('gone');
        return events.slice(after);
      },
    });
    feed.take(events.slice(-1));
    await expect.poll(() => told.failed.length).toBe(1);
    isBroken = false;
    feed.take(events.slice(-1));
    await expect.poll(() => told.folded).toEqual(all.slice(1));
  });

  it('tells nothing once it is closed', async () => {
    const { feed, told } = feedOf(1);
    feed.take(events.slice(-1));
    feed.close();
    feed.take(events.slice(1));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(told).toEqual({ folded: [], replaced: [], failed: [] });
  });
});
