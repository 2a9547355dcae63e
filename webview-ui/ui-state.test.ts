import { describe, expect, it } from 'vitest';
import { clampSplit, firstState, forRun, readUiState, type UiState } from './ui-state.ts';

const used: UiState = {
  store: '/s',
  tab: 'conflicts',
  selected: 'root/a',
  hideFinished: true,
  filter: 'x',
  scroll: 440,
  expansion: [['root', false]],
  split: 0.5,
};

describe('where the user is in the page', () => {
  it('comes back as it was kept, as JSON', () => {
    expect(readUiState(JSON.parse(JSON.stringify(used)))).toEqual(used);
  });

  it('begins anew where what was kept does not fit', () => {
    expect(readUiState(undefined)).toEqual(firstState);
    expect(readUiState('x')).toEqual(firstState);
    expect(readUiState({ tab: 'gone', expansion: [['root']], split: 7, scroll: '3', filter: 1 })).toEqual({
      ...firstState,
      split: clampSplit(7),
    });
  });

  it('keeps its filter and its split for another run, and nothing else', () => {
    expect(forRun(used, '/s')).toBe(used);
    expect(forRun(used, '/t')).toEqual({ ...firstState, store: '/t', hideFinished: true, split: 0.5 });
  });
});
