import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { Browser, type BrowserOptions } from './browser.ts';
import { pictureFolder } from './places.ts';
import { themes, type Theme } from './settings.ts';
import { WorkbenchServer, type ServerOptions } from './workbench-server.ts';

export interface WorkbenchOptions extends ServerOptions {
  readonly browser?: BrowserOptions;
}

/** A VS Code server and a browser; windows are opened one by one, also several on one folder. */
export class Workbench implements AsyncDisposable {
  readonly server: WorkbenchServer;
  readonly #browser: Browser;

  private constructor(server: WorkbenchServer, browser: Browser) {
    this.server = server;
    this.#browser = browser;
  }

  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const server = await WorkbenchServer.start(options);
    try {
      return new Workbench(server, await Browser.launch(options.browser));
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** A window on the folder, by default the workspace; null opens one without a folder. */
  async openWindow(folder: string | null = this.server.workspace): Promise<WorkbenchWindow> {
    const page = await this.#browser.newPage();
    await page.goto(this.server.url(folder));
    const window = new WorkbenchWindow(page);
    await window.isReady();
    return window;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** For what is tried again until it succeeds. Milliseconds. */
const untilLimit = 60_000;

/** One window of VS Code, with what a user does in it. Waits are Playwright's: they end with an error after 30 s. */
export class WorkbenchWindow {
  /** For everything that has no method here. */
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The workbench is drawn and its extensions have been read. */
  async isReady(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor();
    await this.page.locator('.part.statusbar').waitFor();
  }

  /** Chooses a command in the palette, by the whole of what it shows, e.g. `Swarmwright: Open Dashboard`. */
  async runCommand(title: string): Promise<void> {
    // A palette that opened before the commands of extensions were read does not take them in.
    await this.#until(async () => {
      await this.openPalette(title);
      // A command that reloads the window is not chosen again because the page is slow to go.
      await this.quickInputRows(title).first().click({ timeout: 1000, noWaitAfter: true });
    });
  }

  /** Builds the demo in the folder of the window, which is empty. */
  async openDemo(): Promise<void> {
    await this.runCommand('Swarmwright: Open Demo');
    await this.pick('Build the Demo in This Folder');
  }

  /** Opens the palette with the text as its filter and leaves it open. */
  async openPalette(filter: string): Promise<void> {
    // While the window is being drawn a key can be lost.
    await this.#until(async () => {
      await this.closeQuickInput();
      await this.page.keyboard.press('F1');
      await this.quickInput.fill(`>${filter}`, { timeout: 5000 });
      await this.quickInputRows().first().waitFor({ timeout: 5000 });
    });
  }

  /**
   * Commands that the palette offers for a filter; it is closed again. Commands of an extension come a moment after
   * the window: wait for something of it first.
   */
  async paletteItems(filter: string): Promise<readonly string[]> {
    await this.openPalette(filter);
    const labels = await this.quickInputRows().locator('.label-name').allInnerTexts();
    await this.closeQuickInput();
    return labels.filter((label) => label !== 'No matching commands');
  }

  get quickInput(): Locator {
    // What is typed into it may be a secret: then it is no `type="text"`.
    return this.page.locator('.quick-input-widget:visible .quick-input-box input').first();
  }

  /** Rows of a quick pick, or of the palette; with the text, those that are labelled so. */
  quickInputRows(label?: string): Locator {
    const rows = this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    if (label === undefined) return rows;
    return rows.filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) });
  }

  /** Chooses a row of a quick pick. */
  async pick(label: string): Promise<void> {
    await this.quickInputRows(label).first().click();
  }

  /** Types into an input box or quick pick, and accepts. */
  async answer(text: string): Promise<void> {
    await this.quickInput.waitFor();
    await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  async closeQuickInput(): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible');
    while ((await widget.count()) > 0) {
      await this.page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden', timeout: 1000 }).catch(() => undefined);
    }
  }

  /** Opens a view container of the activity bar by its title, unless it is open. */
  async showContainer(title: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: title, exact: false }).first();
    // While the window is being drawn a click can be lost.
    await this.#until(async () => {
      if ((await tab.getAttribute('aria-expanded', { timeout: 5000 })) === 'true') return;
      await tab.click({ timeout: 5000 });
      await this.page
        .locator('.part.sidebar .composite.title')
        .filter({ hasText: title })
        .waitFor({ timeout: 2000 });
    });
  }

  /** The pane of a view, by the title that its header shows. */
  view(title: string): Locator {
    return this.page
      .locator('.pane')
      .filter({ has: this.page.locator('.pane-header').getByText(title, { exact: true }) });
  }

  /** Items of trees that are in sight, by a part of what a screen reader says of them. */
  treeItem(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name });
  }

  /** The content of the webview that is in sight. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  /** Waits for the notification and presses its button. */
  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).first().getByRole('button', { name: button, exact: true }).click();
  }

  /** A modal dialog. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  async answerDialog(text: string | RegExp, button: string): Promise<void> {
    await this.dialog(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** An entry of the status bar, by a part of its text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  editorTab(label: string | RegExp): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name: label });
  }

  /** Opens a file of the workspace in an editor. */
  async openFile(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    await this.#until(async () => {
      await this.closeQuickInput();
      await this.page.keyboard.press('Control+P');
      await this.quickInput.waitFor({ timeout: 2000 });
      await this.quickInput.fill(path);
      await this.quickInputRows(name).first().click({ timeout: 2000 });
    });
    await this.editorTab(name).first().waitFor();
  }

  /** The window is loaded again, as after "Developer: Reload Window": its extension host ends, a new one starts. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.isReady();
  }

  /** Grants the folder trust by what a user does: the editor of Workspace Trust. */
  async trustWorkspace(): Promise<void> {
    await this.runCommand('Workspaces: Manage Workspace Trust');
    const editor = this.page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await editor.getByText('You trust this folder').waitFor();
    await this.page.getByRole('button', { name: /^Close Modal Editor/u }).click();
    await editor.waitFor({ state: 'hidden' });
  }

  async setTheme(theme: Theme): Promise<void> {
    const { label, bodyClass } = themes[theme];
    // A picker that opened before the themes of extensions were read does not take them in.
    await this.#until(async () => {
      await this.runCommand('Preferences: Color Theme');
      const picker = this.page.locator('.quick-input-widget:visible input[placeholder*="color theme" i]');
      await picker.fill(label, { timeout: 5000 });
      await this.quickInputRows(label).first().click({ timeout: 5000 });
    });
    await this.page.locator(`.monaco-workbench.${bodyClass}`).waitFor();
  }

  /** Saves a picture of the window; returns its path. */
  async picture(name: string, folder: string = pictureFolder): Promise<string> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${name}.png`);
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  async close(): Promise<void> {
    await this.page.close();
  }

  /** Tries until it succeeds; the last failure is the error. */
  async #until(step: () => Promise<void>): Promise<void> {
    const end = performance.now() + untilLimit;
    for (;;) {
      try {
        await step();
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
      }
    }
  }
}
