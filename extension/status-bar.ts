import { Disposable, env, l10n, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { CurrentRun } from './current-run.ts';
import { Pace } from './pace.ts';
import type { RunView } from './run-view.ts';
import { statusText } from './status-text.ts';

/** Milliseconds between two changes of the item: what changes faster cannot be read. */
const interval = 500;

/** One item: how the run stands and what it has cost. It opens the dashboard. */
export function registerStatusBar(run: CurrentRun): Disposable {
  const item = window.createStatusBarItem('swarmwright.status', StatusBarAlignment.Left);
  item.name = 'Swarmwright';
  item.command = 'swarmwright.openDashboard';
  const draw = (): void => {
    const { view } = run;
    if (view === undefined) {
      item.hide();
      return;
    }
    const { text, tooltip, severity } = statusText(view, env.language, l10n);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = {
      label: `Swarmwright: ${text.replace(/^\$\([^)]*\) /u, '')}`,
      role: 'button',
    };
    item.backgroundColor =
      severity === 'normal' ? undefined : new ThemeColor(`statusBarItem.${severity}Background`);
    item.show();
  };
  const pace = new Pace(interval, draw);
  pace.see(true);
  let listener: Disposable | undefined;
  const show = (view: RunView | undefined): void => {
    listener?.dispose();
    listener = view?.onDidChange(() => {
      pace.ask();
    });
    draw();
  };
  show(run.view);
  return Disposable.from(
    item,
    run.onDidChange(show),
    new Disposable(() => {
      listener?.dispose();
      pace.dispose();
    }),
  );
}
