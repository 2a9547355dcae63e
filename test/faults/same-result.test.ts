import { describe, expect, it, vi } from 'vitest';
import { SeededRandomness } from '#edges/randomness.ts';
import { oldNode } from '../command-line/old-node.ts';
import { buildCommands, demoCommands, minisql, wordTools, type Commands } from './example.ts';
import { killRepeatedly, undisturbed, type Undisturbed } from './kills.ts';
import { noDamage } from './outcome.ts';
import { servedRun } from './served.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Printed, and set by SEED to see the same moments again. */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const old = await oldNode();

const buildOfWords = buildCommands(wordTools);
const references = new Map<Commands, Promise<Undisturbed>>();

/** What the playbook model makes of it when nothing happens to it. */
async function reference(commands: Commands): Promise<Undisturbed> {
  const known = references.get(commands) ?? undisturbed(commands);
  references.set(commands, known);
  return known;
}

describe('killed by SIGKILL at random moments and resumed, a run comes out as if nobody had killed it', () => {
  it.each([
    ["a build, started by a system's older Node", buildOfWords, 10, old],
    ['the demo', demoCommands, 20, undefined],
  ] as const)('%s', async (_, commands, count, node) => {
    const { outcome: whole, pace } = await reference(commands);
    expect(whole.damage).toEqual(noDamage);
    console.log(`SEED=${seed}; undisturbed: ${pace.start.toFixed(0)} ms + ${pace.work.toFixed(0)} ms`);
    // Two at once, as there are two cores.
    const halves = [0, 1].map(async (half) => {
      const randomness = new SeededRandomness(seed + half);
      const started = node === undefined ? {} : { node };
      return killRepeatedly({ commands, pace, count: count / 2, randomness, ...started });
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
    ['word tools', 'compatible', wordTools, buildOfWords],
    ['minisql', 'compatible', minisql, demoCommands],
    ['minisql', 'openai', minisql, demoCommands],
    ['minisql', 'anthropic', minisql, demoCommands],
  ] as const)('%s by %s', async (_, provider, example, commands) => {
    const { outcome: whole } = await reference(commands);
    const outcome = await servedRun(example, commands, provider);
    // The demo says that the folder is its own.
    const { '.swarmwright-demo': marker, ...workspace } = whole.result.workspace;
    expect(marker === undefined).toBe(commands === buildOfWords);
    expect(outcome.result).toEqual({ ...whole.result, workspace });
    expect(outcome.damage).toEqual(noDamage);
  });
});
