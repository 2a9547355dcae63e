import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { RunState } from '#protocol/projection.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { modelText, spendText } from './format.ts';
import { roleLabel, stateLabel, taskIcon } from './labels.ts';
import type { TaskRow } from './task-rows.ts';
import { rowOf, treeStep, typedAhead } from './tree-keys.ts';
import { l10n } from './words.ts';

/** Pixels: the height of a line in VS Code's own trees. */
const rowHeight = 22;
const indent = 12;
/** Milliseconds after which a letter begins a new word. */
const typingPause = 700;

export interface TaskTreeProps {
  readonly rows: readonly TaskRow[];
  readonly state: RunState;
  readonly selected: TaskPath | undefined;
  readonly scroll: number;
  readonly onSelect: (path: TaskPath) => void;
  readonly onOpen: (paths: readonly TaskPath[], isOpen: boolean) => void;
  readonly onScroll: (scroll: number) => void;
}

function idOf(path: TaskPath): string {
  return `task:${path}`;
}

/** The tree of tasks. Only lines that are in sight exist; the focus stays on the tree, which names its active line. */
export function TaskTree(props: TaskTreeProps): ReactNode {
  const { rows, state, selected, onSelect, onOpen, onScroll } = props;
  const frame = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', time: 0 });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialOffset: props.scroll,
    getItemKey: (index) => rows[index]?.node.path ?? index,
  });
  const [active, setActive] = useState(selected);
  useEffect(() => {
    setActive(selected);
  }, [selected]);
  const current = rowOf(rows, active);
  const items = virtual.getVirtualItems();

  const go = (index: number): void => {
    const row = rows[index];
    if (!row) return;
    setActive(row.node.path);
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
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
    if (ctrlKey || metaKey || altKey) return;
    const row = rows[current];
    if (key === 'Enter' || key === ' ') {
      if (row?.isOpen === undefined) go(current);
      else onOpen([row.node.path], !row.isOpen);
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const step = treeStep(key, rows, current, page);
    if (step?.kind === 'go') go(step.index);
    else if (step) onOpen(step.paths, step.kind === 'open');
    else if (/^[\p{L}\p{N}]$/u.test(key)) typeAhead(key, timeStamp);
    else return;
    event.preventDefault();
  };

  const isInSight = items.some(({ index }) => index === current);
  return (
    <div
      ref={frame}
      className="tree"
      role="tree"
      aria-label={l10n.t('Tasks')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a tree has the focus for its lines
      tabIndex={0}
      aria-activedescendant={isInSight ? idOf(rows[current]?.node.path ?? '') : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (current < 0 && rows.length > 0) setActive(rows[0]?.node.path);
      }}
      onScroll={(event) => {
        onScroll(event.currentTarget.scrollTop);
      }}
    >
      <div className="tree-lines" role="none" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index];
          return (
            row && (
              <TreeLine
                key={key}
                row={row}
                top={start}
                spend={spendText(state.ledger.subtree(row.node.path))}
                isActive={index === current}
                isSelected={row.node.path === selected}
                onChoose={() => {
                  go(index);
                }}
                onToggle={() => {
                  onOpen([row.node.path], row.isOpen !== true);
                }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface TreeLineProps {
  readonly row: TaskRow;
  readonly top: number;
  readonly spend: string;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly onToggle: () => void;
}

function TreeLine({ row, top, spend, isActive, isSelected, onChoose, onToggle }: TreeLineProps): ReactNode {
  const { node, level, position, size, isOpen } = row;
  const { spec, state, model, path } = node;
  const isMoving = state === 'running' ? ' moving' : '';
  return (
    // Keys are the tree's, which has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={idOf(path)}
      role="treeitem"
      className={`line${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      title={spec.goal}
      style={{ transform: `translateY(${top}px)`, paddingLeft: (level - 1) * indent + 4 }}
      onClick={onChoose}
      onDoubleClick={isOpen === undefined ? undefined : onToggle}
    >
      <i
        className={`twisty codicon ${isOpen === undefined ? '' : `codicon-chevron-${isOpen ? 'down' : 'right'}`}`}
        aria-hidden="true"
        onClick={(event) => {
          if (isOpen === undefined) return;
          event.stopPropagation();
          onToggle();
        }}
      />
      <i className={`codicon codicon-${taskIcon(node)} state-${state}${isMoving}`} aria-hidden="true" />
      <span className="name">{spec.name}</span>
      <span className="about role">{roleLabel(spec.role)}</span>
      <span className="about state">{stateLabel(node)}</span>
      <span className="about model">{modelText(model)}</span>
      <span className="about spend">{spend}</span>
    </div>
  );
}
