import { describe, expect, it } from 'vitest';
import type { Theme } from '../settings.ts';
import type { WorkbenchWindow } from '../workbench.ts';
import { accessibilityProblems, webviewFrame } from './dashboard-frame.ts';
import { useWorkbench } from './use-workbench.ts';

/** On a machine that is busy the demo takes some times what it takes alone. */
const demoLimit = 90_000;
const themes: readonly Theme[] = ['light', 'dark', 'high-contrast', 'high-contrast-light'];
const tabs = ['Run', 'Task', 'Conflicts', 'Field Guide', 'Decisions'];

async function expectAccessible(window: WorkbenchWindow): Promise<void> {
  expect(await accessibilityProblems(await webviewFrame(window.page))).toEqual([]);
}

/** The tests follow one another: what one has opened the next one goes on with. */
describe('the dashboard', () => {
  const used = useWorkbench();

  it('says what to do while no run is open', async () => {
    const { window } = used();
    await window.runCommand('Swarmwright: Open Dashboard');
    const page = window.webview();
    await page.getByText('No run is open in this window.').waitFor();
    await page.getByRole('button', { name: 'Build from Spec…' }).waitFor();
    await expectAccessible(window);
  });

  it('fills live while a run goes on, without anything that its policy forbids', async () => {
    const { window } = used();
    const refused: string[] = [];
    window.page.on('console', (message) => {
      if (/Content Security Policy/u.test(message.text())) refused.push(message.text());
    });
    await window.openDemo();
    const page = window.webview();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('treeitem', { name: /^lexer/u }).waitFor({ timeout: demoLimit });
    await page.getByRole('status').getByText('Green').waitFor({ timeout: demoLimit });
    await page.getByRole('treeitem', { name: /^lexer\s+worker\s+done/u }).waitFor();
    await expect(page.getByRole('button', { name: 'Stop' }).count()).resolves.toBe(0);
    expect(refused).toEqual([]);
  });

  it('shows what a task is, did and cost, and leads to its transcript', async () => {
    const { window } = used();
    const page = window.webview();
    await page.getByRole('treeitem', { name: /^lexer/u }).click();
    await page.getByRole('heading', { name: 'root/front/lexer' }).waitFor();
    for (const title of ['Goal', 'Acceptance', 'Scope', 'Handoff', 'Cost', 'Attempts', 'Commits'])
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await expectAccessible(window);
    await page.getByRole('button', { name: 'Open Transcript' }).click();
    await window.editorTab(/lexer/u).waitFor();
    await window.editorTab('Swarmwright Dashboard').click();
    await window.webview().getByRole('heading', { name: 'root/front/lexer' }).waitFor();
  });

  it('shows the three sides of a conflict and its resolution', async () => {
    const { window } = used();
    const page = window.webview();
    await page.getByRole('tab', { name: 'Conflicts' }).click();
    await page
      .getByRole('button', { name: /resolved/u })
      .first()
      .waitFor();
    for (const side of ['Base', 'Trunk', 'Change set', 'Resolution'])
      await page.getByRole('region', { name: side, exact: true }).getByText(/\S/u).first().waitFor();
    await expect(
      page.getByRole('region', { name: 'Change set' }).locator('.changed').count(),
    ).resolves.toBeGreaterThan(0);
  });

  it('shows decisions and the Field Guide', async () => {
    const { window } = used();
    const page = window.webview();
    await page.getByRole('tab', { name: 'Decisions' }).click();
    await page.getByRole('heading', { name: /@1$/u }).first().waitFor();
    await page.getByRole('tab', { name: 'Field Guide' }).click();
    await page
      .getByText(/of 120 lines|not written anything down/u)
      .first()
      .waitFor();
  });

  it.each(themes)('has no accessibility problem in %s', async (theme) => {
    const { window } = used();
    await window.setTheme(theme);
    const page = window.webview();
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      await window.picture(`dashboard ${theme} ${tab}`);
      await expectAccessible(window);
    }
  });

  it('has room for all of it in a narrow group', async () => {
    const { window } = used();
    await window.runCommand('View: Close Primary Side Bar');
    await window.page.setViewportSize({ width: 460, height: 800 });
    const page = window.webview();
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await window.picture(`dashboard narrow ${tab}`);
      await expectAccessible(window);
    }
    const overflow = await (
      await webviewFrame(window.page)
    ).evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('comes back after the window is loaded again', async () => {
    const { window } = used();
    await window.reload();
    await window.editorTab('Swarmwright Dashboard').click();
    await window.webview().getByRole('tree').or(window.webview().getByText('No run is open')).waitFor();
    await expectAccessible(window);
  });
});
