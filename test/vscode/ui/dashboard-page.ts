import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { DashboardView } from '#protocol/dashboard-api.ts';
import type { RunEventBody } from '#protocol/events.ts';
import { connectRpc } from '#protocol/rpc.ts';
import { DashboardHost } from '../../../extension/dashboard/dashboard-host.ts';
import { dashboardHtml } from '../../../extension/dashboard/dashboard-html.ts';
import { checkedApi } from '../../../extension/dashboard/dashboard-requests.ts';
import { TestRun } from '../../../extension/dashboard/test-run.ts';
import { Browser } from '../browser.ts';
import { repository } from '../places.ts';

const files = join(repository, 'dist', 'webview');
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  ttf: 'font/ttf',
};

/** What VS Code gives a webview: a way to its host, and a state that outlives the page. */
const webviewApi = `
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => void toHost(message),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });`;

/**
 * The built page of the dashboard without VS Code around it, with the extension's own end of the hop on the other side.
 * The run is what a test makes happen.
 */
export class DashboardPage implements AsyncDisposable {
  readonly page: Page;
  readonly run: TestRun;
  /** What the page asked the editor for. */
  readonly done: readonly string[];
  /** What the browser complained about. */
  readonly complaints: readonly string[];
  readonly #host: DashboardHost;
  readonly #browser: Browser;
  readonly #server: Server;

  private constructor(parts: {
    readonly page: Page;
    readonly run: TestRun;
    readonly done: readonly string[];
    readonly complaints: readonly string[];
    readonly host: DashboardHost;
    readonly browser: Browser;
    readonly server: Server;
  }) {
    this.page = parts.page;
    this.run = parts.run;
    this.done = parts.done;
    this.complaints = parts.complaints;
    this.#host = parts.host;
    this.#browser = parts.browser;
    this.#server = parts.server;
  }

  /** @param bodies what has happened before the page opens */
  static async open(
    bodies: readonly RunEventBody[],
    size: { readonly width: number; readonly height: number } = { width: 1280, height: 800 },
  ): Promise<DashboardPage> {
    const run = new TestRun('/store');
    run.happen(...bodies);
    const { server, address } = await serve();
    const browser = await Browser.launch(size);
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.addInitScript(webviewApi);
    const done: string[] = [];
    const host = await connect(page, run, done);
    const opened = new DashboardPage({ page, run, done, complaints, host, browser, server });
    await page.goto(address);
    return opened;
  }

  /** Something happens, and the page is told. */
  happen(...bodies: readonly RunEventBody[]): void {
    this.#host.told(this.run, this.run.happen(...bodies));
  }

  /** Something happens, and the page is not told. */
  miss(...bodies: readonly RunEventBody[]): void {
    this.run.happen(...bodies);
  }

  /** As VS Code does it with a panel that is hidden and shown. */
  async reload(): Promise<void> {
    this.#host.hide();
    this.#host.fetch();
    await this.page.reload();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}

async function connect(page: Page, run: TestRun, done: string[]): Promise<DashboardHost> {
  const view: DashboardView = {
    events: (store, events) => void rpc.remote.events(store, events),
    changed: (shown) => void rpc.remote.changed(shown),
  };
  const host = new DashboardHost({
    runtime: () => run.runtime,
    run: () => run,
    view,
    actions: {
      act: async (action) => void done.push(action),
      openTranscript: async (task, attempt) => void done.push(`transcript ${task}@${attempt}`),
      showChanges: async (task) => void done.push(`changes ${task}`),
      reviewLanding: async () => void done.push('review'),
      painted: () => done.push('painted'),
    },
  });
  const listeners: ((message: unknown) => void)[] = [];
  await page.exposeFunction('toHost', (message: unknown) => {
    for (const listener of listeners) listener(message);
  });
  const rpc = connectRpc<DashboardView>(
    checkedApi(host),
    {
      post: (message) =>
        void page.evaluate((data) => {
          window.postMessage(data);
        }, message),
      listen: (listener) => listeners.push(listener),
    },
    {
      events: ['events', 'changed'],
      onError: (error) => done.push(String(error)),
    },
  );
  return host;
}

/** Serves the page and its files on 127.0.0.1, under the policy that it has in VS Code. */
async function serve(): Promise<{ readonly server: Server; readonly address: string }> {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', address).pathname.slice(1);
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) {
      response.setHeader('content-type', 'text/html').end(html);
      return;
    }
    readFile(join(files, name)).then(
      (content) => response.setHeader('content-type', type).end(content),
      () => response.writeHead(404).end(),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('a TCP server has a port');
  const address = `http://127.0.0.1:${bound.port}`;
  const html = dashboardHtml({
    script: `${address}/dashboard.js`,
    style: `${address}/dashboard.css`,
    icons: `${address}/codicon.css`,
    source: address,
    nonce: 'dGVzdA==',
    title: 'Dashboard',
    language: 'en',
    words: undefined,
  });
  return { server, address };
}
