import type { TaskPath } from '#protocol/tasks.ts';

const tabs = ['run', 'task', 'conflicts', 'guide', 'decisions'] as const;
export type Tab = (typeof tabs)[number];

/** Where the user is in the page: what stays when it is hidden, or the window is loaded again. Nothing of the run. */
export interface UiState {
  /** The run that the rest is about. */
  readonly store: string;
  readonly tab: Tab;
  readonly selected: TaskPath | undefined;
  readonly hideFinished: boolean;
  readonly filter: string;
  /** Pixels that the tree is scrolled by. */
  readonly scroll: number;
  /** Subtrees that are open or closed. */
  readonly expansion: readonly (readonly [TaskPath, boolean])[];
  /** Width of the tree, as a part of the page's. */
  readonly split: number;
}

export const firstState: UiState = {
  store: '',
  tab: 'run',
  selected: undefined,
  hideFinished: false,
  filter: '',
  scroll: 0,
  expansion: [],
  split: 0.46,
};

export const splitLimits = { least: 0.2, most: 0.75 };

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isExpansion(value: unknown): value is UiState['expansion'] {
  return (
    Array.isArray(value) &&
    value.every((item) => Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'boolean')
  );
}

/** What VS Code has kept; what an older version of the page has left, and does not fit, begins anew. */
export function readUiState(kept: unknown): UiState {
  if (!isRecord(kept)) return firstState;
  const { store, tab, selected, hideFinished, filter, scroll, expansion, split } = kept;
  return {
    store: typeof store === 'string' ? store : firstState.store,
    tab: tabs.find((name) => name === tab) ?? firstState.tab,
    selected: typeof selected === 'string' ? selected : undefined,
    hideFinished: hideFinished === true,
    filter: typeof filter === 'string' ? filter : '',
    scroll: typeof scroll === 'number' ? scroll : 0,
    expansion: isExpansion(expansion) ? expansion : [],
    split: typeof split === 'number' ? clampSplit(split) : firstState.split,
  };
}

export function clampSplit(split: number): number {
  return Math.min(splitLimits.most, Math.max(splitLimits.least, split));
}

/** Another run is another tree: its filters stay, what was chosen in it does not. */
export function forRun(state: UiState, store: string): UiState {
  if (state.store === store) return state;
  const { hideFinished, split } = state;
  return { ...firstState, hideFinished, split, store };
}
