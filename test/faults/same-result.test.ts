import { describe, expect, it, vi } from 'vitest';
import { SeededRandomness } from '#edges/randomness.ts';
import { oldNode } from '../command-line/old-node.ts';
import { minisql, wordTools, type Example } from './example.ts';
import { killRepeatedly, undisturbed } from './kills.ts';
import { noDamage } from './outcome.ts';
import { servedRun } from './served.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Printed, and set by SEED to see the same moments again. */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const old = await oldNode();

const references = new Map<Example, ReturnType<typeof undisturbed>>();

/** What the playbook model makes of the example when nothing happens to it. */
async function reference(example: Example): ReturnType<typeof undisturbed> {
  const known = references.get(example) ?? undisturbed(example);
  references.set(example, known);
  return known;
}

describe('killed by SIGKILL at random moments and resumed, a run comes out as if nobody had killed it', () => {
  it.each([
    ["word tools, started by a system's older Node", wordTools, 10, old],
    ['minisql', minisql, 20, undefined],
  ] as const)('%s', async (_, example, count, node) => {
    const { outcome: whole, pace } = await reference(example);
    expect(whole.damage).toEqual(noDamage);
    console.log(`SEED=${seed}; undisturbed: ${pace.start.toFixed(0)} ms + ${pace.work.toFixed(0)} ms`);
    // Two at once, as there are two cores.
    const halves = [0, 1].map(async (half) => {
      const randomness = new SeededRandomness(seed + half);
      const started = node === undefined ? {} : { node };
      return killRepeatedly({ example, pace, count: count / 2, randomness, ...started });
    });
    const runs = (await Promise.all(halves)).flat();
    for (const { outcome, killed } of runs) {
      const moments = killed.map((moment) => moment.toFixed(0)).join(', ');
      console.log(`killed at ${moments} ms; lost in flight: ${outcome.lost.join(', ') || 'nothing'}`);
    }
    expect(runs.flatMap(({ killed }) => killed)).toHaveLength(count);
    for (const { outcome } of runs) {
      expect(outcome.result).toEqual(whole.result);
      expect(outcome.damage).toEqual(noDamage);
    }
  });
});

describe('played by a server over HTTP, a run comes out as by the playbook model', () => {
  it.each([
    ['word tools', wordTools],
    ['minisql', minisql],
  ] as const)('%s', async (_, example) => {
    const [{ outcome: whole }, { outcome }] = await Promise.all([reference(example), servedRun(example)]);
    expect(outcome.result).toEqual(whole.result);
    expect(outcome.damage).toEqual(noDamage);
  });
});
