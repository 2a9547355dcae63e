import { describe, expect, it } from 'vitest';
import type { Configuration } from '../setup/configuration.ts';
import { buildPlan } from './build-plan.ts';

const configuration: Configuration = {
  models: { planner: 'anthropic/claude-sonnet-5-5', worker: 'ollama/qwen3-coder:30b' },
  budgetUsd: 10,
  maxTokens: undefined,
  maxMinutes: 30,
  maxTasks: 50,
  maxDepth: 4,
  concurrency: 6,
  verify: 'npm test',
  playbook: undefined,
  baseUrls: { ollama: 'http://192.168.0.7:11434/v1' },
  toolchains: ['/opt/go'],
};

describe('what is built', () => {
  it('follows the settings where nothing is asked for', () => {
    expect(buildPlan('/home/me/shop', { spec: 'docs/spec.md' }, configuration)).toEqual({
      specPath: '/home/me/shop/docs/spec.md',
      workspace: '/home/me/shop',
      models: configuration.models,
      baseUrls: configuration.baseUrls,
      caps: { tasks: 50, depth: 4, concurrency: 6, usd: 10, minutes: 30 },
      land: true,
      toolchains: ['/opt/go'],
      verify: 'npm test',
    });
  });

  it('follows what is asked for, also where that is nothing', () => {
    const plan = buildPlan(
      '/home/me/shop',
      {
        spec: '/elsewhere/spec.md',
        models: {},
        budgetUsd: null,
        verify: '',
        playbook: 'p.yaml',
        concurrency: 2,
      },
      configuration,
    );
    expect(plan.specPath).toBe('/elsewhere/spec.md');
    expect(plan.models).toEqual({});
    expect(plan.caps.usd).toBeUndefined();
    expect(plan.caps.concurrency).toBe(2);
    expect(plan.verify).toBeUndefined();
    expect(plan.playbook).toBe('/home/me/shop/p.yaml');
  });
});
