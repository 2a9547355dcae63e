import { Disposable } from 'vscode';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';
import type { Log } from '../safe-log.ts';
import { beginLine, endLine, eventLine, type LogLine } from './milestones.ts';

/** Writes to the log what a run comes to: users attach it to reports. */
export function registerMilestones(run: CurrentRun, log: Log): Disposable {
  const write = ({ level, text }: LogLine): void => {
    log[level](text.replaceAll(/\s+/gu, ' '));
  };
  let told = '';
  const known = new Set<string>();
  let listener: Disposable | undefined;
  const show = (view: RunView | undefined): void => {
    listener?.dispose();
    listener = view?.onDidChange((events) => {
      for (const event of events) {
        const line = eventLine(event);
        if (line) write(line);
      }
    });
    // The same run comes again from a new snapshot.
    const now = view === undefined ? '' : `${view.mode} ${view.store}`;
    if (view && now !== told) {
      const { mode, state, store } = view;
      // A run is shown before it is gone on with.
      if (mode === 'driving') write(beginLine(known.has(store) ? 'resumed' : 'started', store, state));
      else write({ level: 'info', text: `Build shown (${mode}, ${state.status}): store ${store}` });
      known.add(store);
    }
    told = now;
  };
  show(run.view);
  return Disposable.from(
    run.onDidChange(show),
    run.onDidEnd((view) => {
      write(endLine(view.state, view.outcome));
      told = '';
    }),
    { dispose: () => listener?.dispose() },
  );
}
