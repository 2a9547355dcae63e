import { commands, Disposable, l10n, ThemeIcon, Uri, ViewColumn, window, type WebviewPanel } from 'vscode';
import type { RunAction } from '#protocol/dashboard-api.ts';
import type { CurrentRun } from '../current-run.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import type { DashboardPanel } from './dashboard-panel.ts';
import type { Log } from '../safe-log.ts';

const viewType = 'swarmwright.dashboard';

export interface DashboardParts {
  readonly run: CurrentRun;
  readonly thread: RuntimeThread;
  readonly output: Log;
  readonly extensionUri: Uri;
}

/** What the dashboard's buttons do is what the commands do, with their questions and their words. */
const actionCommands: Readonly<Record<RunAction, string>> = {
  pause: 'swarmwright.pause',
  continue: 'swarmwright.resume',
  stop: 'swarmwright.stop',
  resume: 'swarmwright.resume',
  build: 'swarmwright.buildFromSpec',
};

/** The command that opens the dashboard, and what brings it back after a reload. */
export function registerDashboard(parts: DashboardParts): Disposable {
  const dashboard = new Dashboard(parts);
  return Disposable.from(
    dashboard,
    commands.registerCommand('swarmwright.openDashboard', async () => dashboard.open()),
    window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel) => dashboard.restore(panel),
    }),
  );
}

/** At most one panel a window. */
class Dashboard implements Disposable {
  readonly #parts: DashboardParts;
  #shown: { readonly webview: WebviewPanel; readonly panel: DashboardPanel } | undefined;

  constructor(parts: DashboardParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    if (this.#shown) {
      this.#shown.panel.reveal();
      return;
    }
    const column = { viewColumn: ViewColumn.Active };
    await this.#fill(window.createWebviewPanel(viewType, l10n.t('Swarmwright Dashboard'), column));
  }

  async restore(webview: WebviewPanel): Promise<void> {
    // A window that was restored twice has two: the older one goes.
    this.#shown?.webview.dispose();
    await this.#fill(webview);
  }

  dispose(): void {
    this.#shown?.webview.dispose();
  }

  async #fill(webview: WebviewPanel): Promise<void> {
    const { run, thread, output, extensionUri } = this.#parts;
    const begin = performance.now();
    webview.iconPath = new ThemeIcon('dashboard');
    // The schemas that check the page's messages are not on the path of activation.
    const { DashboardPanel } = await import('./dashboard-panel.ts');
    let isPainted = false;
    const panel = new DashboardPanel(webview, {
      run,
      runtime: () => thread.api,
      files: Uri.joinPath(extensionUri, 'dist', 'webview'),
      log: (message) => {
        output.warn(message);
      },
      actions: {
        act: async (action) => void (await commands.executeCommand(actionCommands[action])),
        openTranscript: async (task, attempt) =>
          void (await commands.executeCommand('swarmwright.openTranscript', task, attempt)),
        showChanges: async (task) =>
          void (await commands.executeCommand('swarmwright.showTaskChanges', task)),
        reviewLanding: async () => void (await commands.executeCommand('workbench.view.scm')),
        painted: () => {
          if (!isPainted)
            output.info(`dashboard: first paint after ${Math.round(performance.now() - begin)} ms`);
          isPainted = true;
        },
      },
    });
    this.#shown = { webview, panel };
    webview.onDidDispose(() => {
      panel.dispose();
      if (this.#shown?.panel === panel) this.#shown = undefined;
    });
  }
}
