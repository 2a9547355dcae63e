import { randomBytes } from 'node:crypto';
import { env, l10n, Uri, type Disposable, type WebviewPanel } from 'vscode';
import type { DashboardView } from '#protocol/dashboard-api.ts';
import { connectRpc, type Rpc } from '#protocol/rpc.ts';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';
import { DashboardHost, type DashboardActions, type DashboardRuntime } from './dashboard-host.ts';
import { dashboardHtml } from './dashboard-html.ts';
import { checkedApi } from './dashboard-requests.ts';

export interface DashboardPanelParts {
  readonly run: CurrentRun;
  readonly runtime: () => DashboardRuntime;
  readonly actions: DashboardActions;
  /** Where the page's own files are: `dist/webview`. */
  readonly files: Uri;
  readonly log: (message: string) => void;
}

/** One webview panel with the dashboard in it. Its page is lost whenever it is hidden, and begins anew when it is shown. */
export class DashboardPanel implements Disposable {
  readonly #panel: WebviewPanel;
  readonly #parts: DashboardPanelParts;
  readonly #host: DashboardHost;
  readonly #rpc: Rpc<DashboardView>;
  readonly #listeners: Disposable[] = [];
  #runListener: Disposable | undefined;
  #wasVisible: boolean;

  constructor(panel: WebviewPanel, parts: DashboardPanelParts) {
    this.#panel = panel;
    this.#parts = parts;
    this.#wasVisible = panel.visible;
    const { run, runtime, actions } = parts;
    const view: DashboardView = {
      events: (store, events) => void this.#rpc.remote.events(store, events),
      changed: (shown) => void this.#rpc.remote.changed(shown),
    };
    this.#host = new DashboardHost({ runtime, run: () => run.view, view, actions });
    this.#rpc = this.#connect();
    this.#follow(run.view);
    this.#listeners.push(
      run.onDidChange((shown) => {
        this.#follow(shown);
        this.#host.changed();
      }),
      panel.onDidChangeViewState(() => {
        this.#see(panel.visible);
      }),
    );
    panel.webview.options = { enableScripts: true, localResourceRoots: [parts.files] };
    panel.webview.html = this.#html();
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#runListener?.dispose();
    for (const listener of this.#listeners) listener.dispose();
    this.#rpc.close();
  }

  #connect(): Rpc<DashboardView> {
    const { webview } = this.#panel;
    return connectRpc<DashboardView>(
      checkedApi(this.#host),
      {
        post: (message) => void webview.postMessage(message),
        listen: (listener) => {
          this.#listeners.push(webview.onDidReceiveMessage(listener));
        },
      },
      {
        events: ['events', 'changed'],
        onError: (error, name) => {
          this.#parts.log(`dashboard: ${name}: ${String(error)}`);
        },
      },
    );
  }

  #follow(shown: RunView | undefined): void {
    this.#runListener?.dispose();
    this.#runListener = shown?.onDidChange((events) => {
      this.#host.told(shown, events);
    });
  }

  #see(isVisible: boolean): void {
    if (isVisible === this.#wasVisible) return;
    this.#wasVisible = isVisible;
    if (isVisible) this.#host.fetch();
    else this.#host.hide();
  }

  #html(): string {
    const { webview, title } = this.#panel;
    const address = (name: string): string =>
      webview.asWebviewUri(Uri.joinPath(this.#parts.files, name)).toString();
    return dashboardHtml({
      script: address('dashboard.js'),
      style: address('dashboard.css'),
      icons: address('codicon.css'),
      source: webview.cspSource,
      nonce: randomBytes(18).toString('base64'),
      title,
      language: env.language,
      words: l10n.bundle,
    });
  }
}
