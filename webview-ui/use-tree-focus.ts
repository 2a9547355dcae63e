import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react';
import type { TaskPath } from '#protocol/tasks.ts';
import type { TaskRow } from './task-rows.ts';
import { rowOf, treeStep, typedAhead } from './tree-keys.ts';

/** Milliseconds after which a letter begins a new word. */
const typingPause = 700;

export interface TreeFocusOptions {
  readonly rows: readonly TaskRow[];
  readonly selected: TaskPath | undefined;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly onSelect: (path: TaskPath) => void;
  readonly onOpen: (paths: readonly TaskPath[], isOpen: boolean) => void;
}

export interface TreeFocus {
  /** Index of the line that has the focus while the tree has it. */
  readonly current: number;
  readonly go: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The active line of a tree, the selected one or else the first, and what keys do with it. What they go to is selected. */
export function useTreeFocus({ rows, selected, virtual, onSelect, onOpen }: TreeFocusOptions): TreeFocus {
  const typed = useRef({ text: '', time: 0 });
  const current = Math.max(0, rowOf(rows, selected));
  const show = useEffectEvent(() => {
    const index = rowOf(rows, selected);
    if (index >= 0) virtual.scrollToIndex(index);
  });
  const isFirst = useRef(true);
  useEffect(() => {
    // At first the tree is where it was.
    if (!isFirst.current && selected !== undefined) show();
    isFirst.current = false;
  }, [selected]);
  const go = (index: number): void => {
    const row = rows[index];
    if (!row) return;
    onSelect(row.node.path);
    virtual.scrollToIndex(index);
  };
  const typeAhead = (key: string, time: number): void => {
    const { text, time: before } = typed.current;
    const next = time - before < typingPause ? text + key : key;
    typed.current = { text: next, time };
    const index = typedAhead(rows, current, next);
    if (index !== undefined) go(index);
  };
  const linesInSight = Math.max(1, virtual.range ? virtual.range.endIndex - virtual.range.startIndex : 1);
  const press = (key: string, time: number): boolean => {
    const row = rows[current];
    if (key === 'Enter' || key === ' ') {
      if (row?.isOpen === undefined || row.node.path !== selected) go(current);
      else onOpen([row.node.path], !row.isOpen);
      return true;
    }
    const step = treeStep(key, rows, current, linesInSight);
    if (step?.kind === 'go') go(step.index);
    else if (step) onOpen(step.paths, step.kind === 'open');
    else if (/^[\p{L}\p{N}-]$/u.test(key)) typeAhead(key, time);
    return step !== undefined;
  };
  return {
    current,
    go,
    onKeyDown: (event) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (!ctrlKey && !metaKey && !altKey && press(key, timeStamp)) event.preventDefault();
    },
  };
}
