import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import type { RunState } from '#protocol/projection.ts';
import { shownState } from '#protocol/shown-state.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { modelText, spendText } from './format.ts';
import { roleLabel, stateLabel, taskIcon } from './labels.ts';
import type { TaskRow } from './task-rows.ts';
import { useTreeFocus } from './use-tree-focus.ts';
import { l10n } from './words.ts';

/** Pixels: the height of a line in VS Code's own trees. */
const rowHeight = 22;
const indent = 12;

export interface TaskTreeProps {
  readonly rows: readonly TaskRow[];
  readonly state: RunState;
  /** Somebody works on the run. */
  readonly isDriven: boolean;
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
  const { rows, state, isDriven, selected, onSelect, onOpen, onScroll } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialOffset: props.scroll,
    getItemKey: (index) => rows[index]?.node.path ?? index,
  });
  const { current, go, onKeyDown } = useTreeFocus({ rows, selected, virtual, onSelect, onOpen });
  const items = virtual.getVirtualItems();
  const isInSight = items.some(({ index }) => index === current);
  const line = (row: TaskRow, index: number, top: number): ReactNode => (
    <TreeLine
      key={row.node.path}
      row={row}
      name={nameOf(row, state)}
      top={top}
      spend={spendText(state.ledger.subtree(row.node.path))}
      isDriven={isDriven}
      isActive={index === current}
      isSelected={row.node.path === selected}
      onChoose={() => {
        go(index);
      }}
      onToggle={() => {
        onOpen([row.node.path], row.isOpen !== true);
      }}
    />
  );
  return (
    <div
      ref={frame}
      className="tree"
      role="tree"
      aria-label={l10n.t('Tasks')}
      tabIndex={0}
      aria-activedescendant={isInSight ? idOf(rows[current]?.node.path ?? '') : undefined}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        onScroll(event.currentTarget.scrollTop);
      }}
    >
      <div className="tree-lines" role="none" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return row && line(row, index, start);
        })}
      </div>
    </div>
  );
}

/** The root's is that of the specification. */
function nameOf({ node }: TaskRow, { options }: RunState): string {
  return node.parent === undefined ? (options?.specTitle ?? node.spec.name) : node.spec.name;
}

interface TreeLineProps {
  readonly row: TaskRow;
  readonly name: string;
  readonly top: number;
  readonly spend: string;
  readonly isDriven: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly onToggle: () => void;
}

function TreeLine({
  row,
  name,
  top,
  spend,
  isDriven,
  isActive,
  isSelected,
  onChoose,
  onToggle,
}: TreeLineProps): ReactNode {
  const { node, level, position, size, isOpen } = row;
  const { spec, model, path } = node;
  const state = shownState(node.state, isDriven);
  const isMoving = state === 'running' ? ' moving' : '';
  return (
    // Focus and keys are the tree's.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
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
      <i
        className={`codicon codicon-${taskIcon(node, isDriven)} state-${state}${isMoving}`}
        aria-hidden="true"
      />
      <span className="name">{name}</span>
      <span className="about role">{roleLabel(spec.role)}</span>
      <span className="about state">{stateLabel(node, isDriven)}</span>
      <span className="about model">{modelText(model)}</span>
      <span className="about spend">{spend}</span>
    </div>
  );
}
