import { expect, it } from 'vitest';
import type { Timers } from '../pace.ts';
import { LandingRefresh } from './landing-refresh.ts';

/** A clock that stands until the test moves it to the next step. */
class StoppedTimers implements Timers {
  readonly pauses: number[] = [];
  #step: (() => void) | undefined;

  now(): number {
    return 0;
  }
  after(milliseconds: number, step: () => void): () => void {
    this.pauses.push(milliseconds);
    this.#step = step;
    return () => {
      this.#step = undefined;
    };
  }
  next(): void {
    const step = this.#step;
    this.#step = undefined;
    step?.();
  }
}

/** The run looks at green whenever it is asked to, as it does while agents work. */
function refreshed(outcomes: readonly ('done' | 'failed')[]): {
  readonly timers: StoppedTimers;
  readonly calls: () => number;
  readonly errors: readonly unknown[];
  readonly draw: (green: string) => Promise<void>;
} {
  const timers = new StoppedTimers();
  const errors: unknown[] = [];
  let calls = 0;
  let shown = '';
  const draw = async (green: string): Promise<void> => {
    shown = green;
    refresh.run(green, async () => {
      calls += 1;
      if (outcomes[calls - 1] === 'failed') throw new Error('the disk is full');
    });
    await Promise.resolve();
    await Promise.resolve();
  };
  const refresh = new LandingRefresh(
    () => void draw(shown),
    (error) => errors.push(error),
    timers,
  );
  return { timers, calls: () => calls, errors, draw };
}

it('a green is brought once, however often the landing is drawn', async () => {
  const { draw, calls } = refreshed(['done']);
  await draw('c1');
  await draw('c1');
  expect(calls()).toBe(1);
  await draw('c2');
  expect(calls()).toBe(2);
});

it('a refresh that failed is tried again, later and later, and told once', async () => {
  const { draw, calls, timers, errors } = refreshed(['failed', 'failed', 'done']);
  await draw('c1');
  await draw('c1');
  expect(calls()).toBe(1);
  timers.next();
  await expect.poll(calls).toBe(2);
  await expect.poll(() => timers.pauses).toEqual([1_000, 2_000]);
  timers.next();
  await expect.poll(calls).toBe(3);
  expect(errors).toHaveLength(1);
  await draw('c1');
  expect(calls()).toBe(3);
});

it('what has failed for one green does not hold the next one up', async () => {
  const { draw, calls } = refreshed(['failed', 'done']);
  await draw('c1');
  await draw('c2');
  expect(calls()).toBe(2);
});
