import { commands, Disposable } from 'vscode';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';
import { isResumable, phaseOf } from '../status-text.ts';

/**
 * What `when` clauses know of the run: `swarmwright.runState` is `none`, `running`, `paused`, `ended` or `following`;
 * `swarmwright.canResume` tells whether one that has ended can be gone on with.
 */
export function registerContextKeys(run: CurrentRun): Disposable {
  const told = new Map<string, unknown>();
  const tell = (key: string, value: unknown): void => {
    if (told.get(key) === value) return;
    told.set(key, value);
    void commands.executeCommand('setContext', key, value);
  };
  const look = (): void => {
    const { view } = run;
    tell('swarmwright.runState', view === undefined ? 'none' : phaseOf(view));
    tell('swarmwright.canResume', view !== undefined && isResumable(view));
  };
  let listener: Disposable | undefined;
  const show = (view: RunView | undefined): void => {
    listener?.dispose();
    listener = view?.onDidChange(look);
    look();
  };
  show(run.view);
  return Disposable.from(
    run.onDidChange(show),
    new Disposable(() => {
      listener?.dispose();
    }),
  );
}
