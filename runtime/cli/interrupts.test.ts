import { expect, it } from 'vitest';
import { ManualClock } from '#edges/clock.ts';
import { Interrupts } from './interrupts.ts';
import { testHost } from './test-host.ts';

/** Interrupts with a clock and a deadline that the test moves. */
function listen(): {
  readonly clock: ManualClock;
  readonly interrupts: Interrupts;
  readonly host: ReturnType<typeof testHost>;
  readonly told: string[];
  readonly deadline: () => void;
} {
  const clock = new ManualClock();
  const told: string[] = [];
  const deadlines: (() => void)[] = [];
  const { edges } = testHost().host;
  const after = (_milliseconds: number, action: () => void): (() => void) => {
    deadlines.push(action);
    return () => {
      deadlines.length = 0;
    };
  };
  const host = testHost({ edges: { ...edges, clock, scheduler: { ...edges.scheduler, after } } });
  const interrupts = new Interrupts(host.host);
  interrupts.tell({ onFirst: () => told.push('first'), onForced: () => told.push('forced') });
  return { clock, interrupts, host, told, deadline: () => deadlines[0]?.() };
}

it('stops at the first Ctrl-C, and ends the process at a second one', () => {
  const { clock, interrupts, host, told } = listen();
  host.interrupt();
  expect(interrupts.signal.aborted).toBe(true);
  clock.advance(100);
  host.interrupt();
  expect(told).toEqual(['first']);
  clock.advance(1000);
  host.interrupt();
  expect(told).toEqual(['first', 'forced']);
  expect(host.exits).toEqual([130]);
});

it('ends the process when what was to stop does not', () => {
  const { host, told, deadline } = listen();
  host.interrupt();
  deadline();
  deadline();
  expect(told).toEqual(['first', 'forced']);
  expect(host.exits).toEqual([130]);
});

it('leaves the process alone once it was disposed of', () => {
  const { interrupts, host, told, deadline } = listen();
  host.interrupt();
  interrupts.dispose();
  deadline();
  host.interrupt();
  expect(told).toEqual(['first']);
  expect(host.exits).toEqual([]);
});
