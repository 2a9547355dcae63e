import { describe, expect, it } from 'vitest';
import { useWorkbench } from './use-workbench.ts';

/** On a machine that is busy the demo takes some times what it takes alone. */
const demoLimit = 110_000;

describe('the tree of agents', () => {
  const used = useWorkbench({ browser: { width: 1400, height: 900 } });

  it('is drawn while the run goes on', async () => {
    const { window } = used();
    await window.showContainer('Swarmwright');
    await window.openDemo();
    await window
      .treeItem(/, planner, /u)
      .first()
      .waitFor({ timeout: demoLimit });
    await window
      .treeItem(/, worker, working/u)
      .first()
      .waitFor({ timeout: demoLimit });
    await window.picture('agents-live');
    await window.statusBarItem('Build complete').waitFor({ timeout: demoLimit });
    await window.treeItem(/^MiniSQL, planner, done/u).waitFor();
    await window.picture('agents-done');
  });

  it('hides what is finished, and shows it again', async () => {
    const { window } = used();
    const items = window.page.locator('.part.sidebar').getByRole('treeitem');
    const before = await items.count();
    expect(before).toBeGreaterThan(3);
    await window.runCommand('Swarmwright: Hide Finished Tasks');
    await window
      .treeItem(/, worker, /u)
      .first()
      .waitFor({ state: 'detached' });
    await window.runCommand('Swarmwright: Show Finished Tasks');
    await window.treeItem(/^skeleton, /u).waitFor();
  });

  it('opens the transcript of an agent, which a reload brings back', async () => {
    const { window } = used();
    await window.treeItem(/^skeleton, worker/u).hover();
    await window
      .treeItem(/^skeleton, worker/u)
      .getByRole('button', { name: 'Open Transcript' })
      .click();
    await window.editorTab(/^skeleton@1\.md/u).waitFor();
    const text = window.page.locator('.editor-instance .view-lines');
    await text.getByText('Turn 1', { exact: false }).first().waitFor();
    await window.picture('transcript');
    await window.reload();
    await window.editorTab(/^skeleton@1\.md/u).waitFor();
    await text.getByText('Turn 1', { exact: false }).first().waitFor();
    await window.picture('transcript-reloaded');
  });

  it("shows a task's changes", async () => {
    const { window } = used();
    await window.showContainer('Swarmwright');
    await window.treeItem(/^skeleton, worker/u).hover();
    await window
      .treeItem(/^skeleton, worker/u)
      .getByRole('button', { name: 'Show Changes' })
      .click();
    await window
      .editorTab(/skeleton/u)
      .last()
      .waitFor();
    await window.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) {
      await window.setTheme(theme);
      await window.picture(`task-changes-${theme}`);
    }
  });
});
