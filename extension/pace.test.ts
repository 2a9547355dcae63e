import { expect, test } from 'vitest';
import { Pace, type Timers } from './pace.ts';

/** Time that moves when it is told to. */
class MovedTimers implements Timers {
  #now = 0;
  #steps: { readonly at: number; readonly step: () => void }[] = [];

  now(): number {
    return this.#now;
  }
  after(milliseconds: number, step: () => void): () => void {
    const entry = { at: this.#now + milliseconds, step };
    this.#steps.push(entry);
    return () => {
      this.#steps = this.#steps.filter((other) => other !== entry);
    };
  }
  move(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#steps.filter(({ at }) => at <= this.#now);
    this.#steps = this.#steps.filter(({ at }) => at > this.#now);
    for (const { step } of due) step();
  }
}

function paced(): { readonly pace: Pace; readonly timers: MovedTimers; readonly runs: () => number } {
  const timers = new MovedTimers();
  let runs = 0;
  const pace = new Pace(
    250,
    () => {
      runs += 1;
    },
    timers,
  );
  return { pace, timers, runs: () => runs };
}

test('a thousand wishes within a second are four runs', () => {
  const { pace, timers, runs } = paced();
  pace.see(true);
  for (let millisecond = 0; millisecond < 1000; millisecond += 1) {
    pace.ask();
    timers.move(1);
  }
  expect(runs()).toBe(4);
});

test('the first wish is not kept waiting', () => {
  const { pace, timers, runs } = paced();
  pace.see(true);
  pace.ask();
  timers.move(0);
  expect(runs()).toBe(1);
});

test('nothing runs while nobody looks, and once when somebody does again', () => {
  const { pace, timers, runs } = paced();
  pace.ask();
  pace.ask();
  timers.move(10_000);
  expect(runs()).toBe(0);
  pace.see(true);
  timers.move(0);
  timers.move(10_000);
  expect(runs()).toBe(1);
});

test('a run that was planned is called off when nobody looks any more', () => {
  const { pace, timers, runs } = paced();
  pace.see(true);
  pace.ask();
  pace.see(false);
  timers.move(10_000);
  expect(runs()).toBe(0);
});
