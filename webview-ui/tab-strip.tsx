import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Tab } from './ui-state.ts';
import { l10n } from './words.ts';

export interface TabItem {
  readonly tab: Tab;
  readonly label: string;
  /** How much is in it that wants to be looked at. */
  readonly count?: number;
}

export interface TabStripProps {
  readonly items: readonly TabItem[];
  readonly shown: Tab;
  readonly onShow: (tab: Tab) => void;
}

const keys: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** Tabs that follow the arrow keys, as the ARIA Authoring Practices have it (Tabs Pattern). */
export function TabStrip({ items, shown, onShow }: TabStripProps): ReactNode {
  const strip = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = items.findIndex(({ tab }) => tab === shown);
    const next = items[keys[event.key]?.(at, items.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    onShow(next.tab);
    strip.current?.querySelector<HTMLElement>(`#tab-${next.tab}`)?.focus();
  };
  return (
    <div ref={strip} role="tablist" className="tabs" aria-label={l10n.t('Details')}>
      {items.map(({ tab, label, count }) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          className="tab"
          aria-selected={tab === shown}
          aria-controls="details"
          tabIndex={tab === shown ? 0 : -1}
          onKeyDown={onKeyDown}
          onClick={() => {
            onShow(tab);
          }}
        >
          {label}
          {count !== undefined && count > 0 && <vscode-badge variant="counter">{count}</vscode-badge>}
        </button>
      ))}
    </div>
  );
}
