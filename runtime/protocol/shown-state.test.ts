import { expect, test } from 'vitest';
import { isDriven, shownState } from './shown-state.ts';

test('a run is driven while a process has it and it has not ended', () => {
  expect(isDriven({ status: 'running' }, true)).toBe(true);
  expect(isDriven({ status: 'running' }, false)).toBe(false);
  expect(isDriven({ status: 'interrupted' }, true)).toBe(false);
});

test('nobody works on a task of a run that nobody drives', () => {
  expect(shownState('running', true)).toBe('running');
  expect(shownState('running', false)).toBe('interrupted');
  expect(shownState('sleeping', false)).toBe('interrupted');
});

test('what waits, is parked or has ended stays so', () => {
  for (const state of ['waiting', 'parked', 'done', 'failed', 'cancelled'] as const) {
    expect(shownState(state, false)).toBe(state);
  }
});
