import { connectHost, type Host, type WebviewApi } from './host.ts';
import { pageTimers } from './pace.ts';
import { RunStore } from './run-store.ts';

declare function acquireVsCodeApi(): WebviewApi;

/** The first thing that the page does: the run is asked for before the page has read the rest of its script. */
export const webview: WebviewApi = acquireVsCodeApi();

export const host: Host = connectHost(webview, {
  events: (run, events) => {
    store.events(run, events);
  },
  changed: (run) => {
    store.changed(run);
  },
});

export const store: RunStore = new RunStore(host, pageTimers, () => Date.now());
void store.load();
