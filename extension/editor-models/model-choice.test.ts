import { expect, test } from 'vitest';
import { parseModelChoice } from '#protocol/providers.ts';
import { choiceOf, readModelName } from './model-choice.ts';

test.each([
  ['copilot', 'gpt-5-mini'],
  ['my vendor', 'a model/with 100 % of it'],
  ['a/b', 'c/d'],
  ['x%2F', 'ä b'],
])('%s %s is found again by its choice', (vendor, id) => {
  const { provider, name } = parseModelChoice(choiceOf({ vendor, id })) ?? {};
  expect(provider).toBe('vscode');
  expect(readModelName(name ?? '')).toEqual({ vendor, id });
});

test('names of models stay readable', () => {
  expect(choiceOf({ vendor: 'copilot', id: 'openai/gpt-5' })).toBe('vscode/copilot/openai/gpt-5');
});

test('a name without a vendor names no model', () => {
  expect(readModelName('gpt-5')).toBeUndefined();
  expect(readModelName('/gpt-5')).toBeUndefined();
  expect(readModelName('copilot/')).toBeUndefined();
});
