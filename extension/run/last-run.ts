import type { Disposable, Memento } from 'vscode';
import { isRecord } from '../commands/build-arguments.ts';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';

const lastKey = 'swarmwright.lastRun';

/** The run that this workspace showed last, and whether it was being driven: then a reload or a death has cut it off. */
export interface LastRun {
  readonly store: string;
  readonly driven: boolean;
}

export function lastRun(memory: Memento): LastRun | undefined {
  const kept = memory.get<unknown>(lastKey);
  if (!isRecord(kept) || typeof kept['store'] !== 'string') return undefined;
  return { store: kept['store'], driven: kept['driven'] === true };
}

export async function forgetLastRun(memory: Memento): Promise<void> {
  await memory.update(lastKey, undefined);
}

/** Remembers which run is shown. One that is no longer shown stays the last one: the runtime may have died. */
export function registerLastRun(run: CurrentRun, memory: Memento): Disposable {
  let told: LastRun | undefined;
  const tell = (view: RunView | undefined): void => {
    if (view === undefined) return;
    const now = { store: view.store, driven: view.mode === 'driving' };
    if (told?.store === now.store && told.driven === now.driven) return;
    told = now;
    void memory.update(lastKey, now);
  };
  tell(run.view);
  const shown = run.onDidChange(tell);
  const ended = run.onDidEnd(tell);
  return {
    dispose: () => {
      shown.dispose();
      ended.dispose();
    },
  };
}
