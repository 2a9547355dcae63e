import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { systemScheduler } from './scheduler.ts';

/** 40,000 minutes: more milliseconds than fit into 31 bits. */
const long = 40_000 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

test('an action that is weeks away is not called now', async () => {
  let called = false;
  const cancel = systemScheduler.after(long, () => {
    called = true;
  });
  await delay(50);
  cancel();
  expect(called).toBe(false);
});

test('an action that is weeks away is called when its time comes, and once', async () => {
  vi.useFakeTimers();
  const action = vi.fn<() => void>();
  systemScheduler.after(long, action);
  await vi.advanceTimersByTimeAsync(long - 1);
  expect(action).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(action).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test('an action can be cancelled also after the first of its timers', async () => {
  vi.useFakeTimers();
  const action = vi.fn<() => void>();
  const cancel = systemScheduler.after(long, action);
  await vi.advanceTimersByTimeAsync(long - 1);
  cancel();
  await vi.advanceTimersByTimeAsync(long);
  expect(action).not.toHaveBeenCalled();
});

test('a sleep of weeks goes on until it is aborted', async () => {
  const abort = new AbortController();
  const slept = systemScheduler.sleep(long, abort.signal).then(() => 'over');
  expect(await Promise.race([slept, delay(50, 'sleeps')])).toBe('sleeps');
  abort.abort(new Error('enough'));
  await expect(slept).rejects.toThrow('enough');
});
