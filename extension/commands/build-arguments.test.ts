import { describe, expect, it } from 'vitest';
import { parseBuildArguments } from './build-arguments.ts';

describe('the arguments of "Build from Spec…"', () => {
  it('are taken as they are when they are right', () => {
    const value = {
      spec: 'spec.md',
      folder: '/home/me/shop',
      models: { planner: 'openai/gpt-5.4', worker: 'vscode/copilot/gpt-5-mini' },
      budgetUsd: 5,
      verify: 'npm test',
      concurrency: 4,
    };
    expect(parseBuildArguments(value)).toEqual({ kind: 'ok', value });
  });

  it('tell no budget from a budget that is left to the settings', () => {
    expect(parseBuildArguments({ spec: 'a.md', budgetUsd: null })).toMatchObject({
      value: { budgetUsd: null },
    });
    expect(parseBuildArguments({ spec: 'a.md' })).toEqual({ kind: 'ok', value: { spec: 'a.md' } });
  });

  it.each([
    [[], 'an object'],
    [{}, '"spec"'],
    [{ spec: '' }, '"spec"'],
    [{ spec: 'a.md', budgetUsd: 0 }, '"budgetUsd"'],
    [{ spec: 'a.md', budgetUsd: Number.NaN }, '"budgetUsd"'],
    [{ spec: 'a.md', concurrency: 1.5 }, '"concurrency"'],
    [{ spec: 'a.md', verify: 3 }, '"verify"'],
    [{ spec: 'a.md', models: { reviewer: 'openai/x' } }, '"reviewer"'],
    [{ spec: 'a.md', models: { worker: 'gpt' } }, 'PROVIDER/NAME'],
    [{ spec: 'a.md', unsandboxed: true }, '"unsandboxed" is not known'],
  ])('%j is refused', (given, problem) => {
    expect(parseBuildArguments(given)).toMatchObject({
      kind: 'bad',
      problem: expect.stringContaining(problem),
    });
  });
});
