import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { isDriven } from '#protocol/shown-state.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import { ConflictsTab } from './conflicts-tab.tsx';
import { DecisionsTab } from './decisions-tab.tsx';
import { GuideTab } from './guide-tab.tsx';
import type { Host } from './host.ts';
import { Empty, errorText } from './parts.tsx';
import { EmptyHeader, RunHeader } from './run-header.tsx';
import type { RunStore, Shown } from './run-store.ts';
import { RunTab } from './run-tab.tsx';
import { Sash } from './sash.tsx';
import { TabStrip, type TabItem } from './tab-strip.tsx';
import { Expansion, taskRows } from './task-rows.ts';
import { TaskTab } from './task-tab.tsx';
import { TaskTree } from './task-tree.tsx';
import { TreeFilter } from './tree-filter.tsx';
import { clampSplit, forRun, type UiState } from './ui-state.ts';
import { l10n } from './words.ts';

type ShownRun = Extract<Shown, { kind: 'run' }>;

export interface AppProps {
  readonly host: Host;
  readonly store: RunStore;
  readonly first: UiState;
  /** Keeps where the user is, for the next page. */
  readonly keep: (state: UiState) => void;
}

/** The host is told once there is something to see, so that it knows how long that took. */
function usePainted(host: Host, isPainted: boolean): void {
  useEffect(() => {
    if (!isPainted) return;
    requestAnimationFrame(() => {
      // A message is handled after the picture that was asked for.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        performance.mark('dashboard-painted');
        void host.painted();
      });
      port1.start();
      port2.postMessage(undefined);
    });
  }, [host, isPainted]);
}

/** What the page is: the run, or what there is instead of one. */
export function App({ host, store, first, keep }: AppProps): ReactNode {
  useSyncExternalStore(store.subscribe, store.version);
  const { shown } = store;
  usePainted(host, shown.kind !== 'loading');
  switch (shown.kind) {
    case 'loading':
      return (
        <main className="page" aria-busy="true" aria-label={l10n.t('Loading…')}>
          <EmptyHeader />
        </main>
      );
    case 'none':
      return (
        <main className="page blank">
          <h1>{l10n.t('Swarmwright')}</h1>
          <Empty>{l10n.t('No run is open in this window.')}</Empty>
          <vscode-button icon="circuit-board" onClick={() => void host.act('build')}>
            {l10n.t('Build from Spec…')}
          </vscode-button>
        </main>
      );
    case 'failed':
      return (
        <main className="page blank">
          <h1>{l10n.t('Swarmwright')}</h1>
          <Empty>{errorText(shown.error)}</Empty>
          <vscode-button icon="refresh" onClick={() => void store.load()}>
            {l10n.t('Try Again')}
          </vscode-button>
        </main>
      );
    case 'run':
      return <Run key={shown.run.store} shown={shown} host={host} first={first} keep={keep} />;
    default:
      return shown satisfies never;
  }
}

interface RunProps extends Omit<AppProps, 'store'> {
  readonly shown: ShownRun;
}

function Run({ shown, host, first, keep }: RunProps): ReactNode {
  const [ui, setUi] = useState(() => forRun(first, shown.run.store));
  const change = (patch: Partial<UiState>): void => {
    setUi((before) => ({ ...before, ...patch }));
  };
  const [expansion] = useState(() => new Expansion(ui.expansion));
  const select = (selected: TaskPath): void => {
    expansion.reveal(selected);
    change({ selected, tab: 'task' });
  };
  return (
    <main className="page">
      <RunHeader
        shown={shown}
        onAct={(action) => void host.act(action)}
        onReview={() => void host.reviewLanding()}
      />
      <div className="split" ref={splitStyle(ui.split)}>
        <Tasks shown={shown} ui={ui} expansion={expansion} keep={keep} onChange={change} onSelect={select} />
        <Sash
          split={ui.split}
          onMove={(split) => {
            change({ split: clampSplit(split) });
          }}
        />
        <Details
          shown={shown}
          host={host}
          ui={ui}
          onShow={(tab) => {
            change({ tab });
          }}
          onGo={select}
        />
      </div>
    </main>
  );
}

interface TasksProps {
  readonly shown: ShownRun;
  readonly ui: UiState;
  readonly expansion: Expansion;
  readonly keep: (state: UiState) => void;
  readonly onChange: (patch: Partial<UiState>) => void;
  readonly onSelect: (task: TaskPath) => void;
}

function Tasks({ shown, ui, expansion, keep, onChange, onSelect }: TasksProps): ReactNode {
  // Where the tree is scrolled to is kept, but draws nothing.
  const scroll = useRef(ui.scroll);
  const rows = taskRows(shown.state, expansion, { hideFinished: ui.hideFinished, text: ui.filter });
  const { size } = expansion;
  const save = useEffectEvent((now: UiState) => {
    keep({ ...now, scroll: scroll.current, expansion: expansion.known });
  });
  useEffect(() => {
    if (size > 0) save(ui);
  }, [ui, size]);
  return (
    <div className="left">
      <TreeFilter
        text={ui.filter}
        hideFinished={ui.hideFinished}
        onText={(filter) => {
          onChange({ filter });
        }}
        onHideFinished={(hideFinished) => {
          onChange({ hideFinished });
        }}
      />
      {rows.length === 0 && <Empty>{noRowsText(shown, ui)}</Empty>}
      <TaskTree
        rows={rows}
        state={shown.state}
        isDriven={isDriven(shown.state, shown.run.mode !== 'open')}
        selected={ui.selected}
        scroll={ui.scroll}
        onSelect={onSelect}
        onOpen={(paths, isOpen) => {
          for (const path of paths) expansion.set(path, isOpen);
          onChange({ expansion: expansion.known });
        }}
        onScroll={(top) => {
          scroll.current = top;
          keep({ ...ui, scroll: top, expansion: expansion.known });
        }}
      />
    </div>
  );
}

function splitStyle(split: number): (element: HTMLElement | null) => void {
  return (element) => {
    element?.style.setProperty('--split', `${split * 100}%`);
  };
}

function noRowsText({ state }: ShownRun, { filter, hideFinished }: UiState): string {
  if (state.tasks.size === 0) return l10n.t('The first task is about to be created.');
  if (filter.trim() !== '') return l10n.t('No task matches the filter.');
  return hideFinished ? l10n.t('All tasks are finished. Clear “Hide finished” to see them.') : '';
}

interface DetailsProps {
  readonly shown: ShownRun;
  readonly host: Host;
  readonly ui: UiState;
  readonly onShow: (tab: UiState['tab']) => void;
  readonly onGo: (task: TaskPath) => void;
}

function Details({ shown, host, ui, onShow, onGo }: DetailsProps): ReactNode {
  const { state, run } = shown;
  const items: readonly TabItem[] = [
    { tab: 'run', label: l10n.t('Run') },
    { tab: 'task', label: l10n.t('Task') },
    { tab: 'conflicts', label: l10n.t('Conflicts'), count: state.counts.conflicts.open },
    { tab: 'guide', label: l10n.t('Field Guide') },
    { tab: 'decisions', label: l10n.t('Decisions') },
  ];
  return (
    <div className="right">
      <TabStrip items={items} shown={ui.tab} onShow={onShow} />
      <div
        id="details"
        role="tabpanel"
        className="details-pane"
        aria-labelledby={`tab-${ui.tab}`}
        tabIndex={0}
      >
        {ui.tab !== 'task' && <h2 className="sr-only">{items.find(({ tab }) => tab === ui.tab)?.label}</h2>}
        {ui.tab === 'run' && <RunTab state={state} />}
        {ui.tab === 'task' && (
          <TaskTab
            task={ui.selected}
            state={state}
            isDriven={isDriven(state, run.mode !== 'open')}
            store={run.store}
            host={host}
          />
        )}
        {ui.tab === 'conflicts' && <ConflictsTab state={state} store={run.store} host={host} onGo={onGo} />}
        {ui.tab === 'guide' && <GuideTab state={state} store={run.store} host={host} onGo={onGo} />}
        {ui.tab === 'decisions' && <DecisionsTab state={state} onGo={onGo} />}
      </div>
    </div>
  );
}
