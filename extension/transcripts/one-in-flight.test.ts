import { expect, it } from 'vitest';
import { OneInFlight } from './one-in-flight.ts';

/** Pages of a growing list, each asked for from where the last one ended, as slow as the test wants. */
function slowPages(): {
  readonly items: number[];
  readonly flight: OneInFlight;
  readonly answer: () => void;
  readonly again: () => number;
} {
  const items: number[] = [];
  let gate = Promise.withResolvers<void>();
  let asked = 0;
  const flight = new OneInFlight(
    async () => {
      const from = items.length;
      await gate.promise;
      items.push(from, from + 1, from + 2);
    },
    () => {
      asked += 1;
    },
  );
  const answer = (): void => {
    gate.resolve();
    gate = Promise.withResolvers();
  };
  return { items, flight, answer, again: () => asked };
}

it('brings no page twice, however slow the answers are', async () => {
  const { items, flight, answer, again } = slowPages();
  const first = flight.run();
  await flight.run();
  await flight.run();
  answer();
  await first;
  expect(items).toEqual([0, 1, 2]);
  expect(again()).toBe(1);
  const second = flight.run();
  answer();
  await second;
  expect(items).toEqual([0, 1, 2, 3, 4, 5]);
  expect(again()).toBe(1);
});

it('goes on after a step that failed', async () => {
  let runs = 0;
  let asked = 0;
  const gate = Promise.withResolvers<void>();
  const flight = new OneInFlight(
    async () => {
      runs += 1;
      await gate.promise;
    },
    () => {
      asked += 1;
    },
  );
  const first = flight.run();
  await flight.run();
  gate.reject(new Error('the thread has ended'));
  await expect(first).rejects.toThrow('the thread has ended');
  expect(asked).toBe(1);
  await expect(flight.run()).rejects.toThrow('the thread has ended');
  expect(runs).toBe(2);
});
