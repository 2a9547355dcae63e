import type { DashboardApi, DashboardView } from '#protocol/dashboard-api.ts';
import { connectRpc, type Rpc } from '#protocol/rpc.ts';

/** What VS Code gives a webview, once. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export type Host = Rpc<DashboardApi>['remote'];

/** Connects the page with the extension host. */
export function connectHost(webview: WebviewApi, view: DashboardView): Host {
  return connectRpc<DashboardApi>(
    view,
    {
      post: (message) => {
        webview.postMessage(message);
      },
      listen: (listener) => {
        window.addEventListener('message', (message) => {
          listener(message.data);
        });
      },
    },
    {
      onError: (error, name) => {
        console.error(`${name}:`, error);
      },
    },
  ).remote;
}
