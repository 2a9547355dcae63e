import { expect, it, vi } from 'vitest';
import { SeededRandomness } from '#edges/randomness.ts';
import { minisql, wordTools } from './example.ts';
import { killRepeatedly, undisturbed } from './kills.ts';
import { noDamage } from './outcome.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Printed, and set by SEED to see the same moments again. */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

it.each([
  [wordTools, 10],
  [minisql, 20],
])(
  '$title, killed by SIGKILL at random moments and resumed, comes out as if nobody had killed it',
  async (example, count) => {
    const { outcome: whole, pace } = await undisturbed(example);
    expect(whole.damage).toEqual(noDamage);
    console.log(`SEED=${seed}; undisturbed: ${pace.start.toFixed(0)} ms + ${pace.work.toFixed(0)} ms`);
    // Two at once, as there are two cores.
    const halves = [0, 1].map(async (half) =>
      killRepeatedly(example, pace, count / 2, new SeededRandomness(seed + half)),
    );
    const runs = (await Promise.all(halves)).flat();
    for (const { outcome, killed } of runs) {
      console.log(
        `killed at ${killed.map((moment) => moment.toFixed(0)).join(', ')} ms; lost: ${outcome.lost.join(', ')}`,
      );
    }
    expect(runs.flatMap(({ killed }) => killed)).toHaveLength(count);
    for (const { outcome } of runs) {
      expect(outcome.result).toEqual(whole.result);
      expect(outcome.damage).toEqual(noDamage);
    }
  },
);
