import { describe, expect, it } from 'vitest';
import { greeterSettings, greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

describe('Build from Spec in menus', () => {
  const used = useWorkbench({
    files: { ...greeterWorkspace(), 'pages/one.html': '<h1>One</h1>\n', 'main.mjs': '' },
    settings: greeterSettings,
  });
  const entry = 'Build from Spec…';

  it.each(['spec.md', 'pages'])('is in the context menu of %s in the explorer', async (name) => {
    const { window } = used();
    // A menu that opened before the extension was read has nothing of it.
    await window.showContainer('Swarmwright');
    await window.page.getByText('Give a specification to a swarm').waitFor();
    await window.showContainer('Explorer');
    await window.treeItem(name).first().click({ button: 'right' });
    await window.page.locator('.monaco-menu').getByText(entry).waitFor();
    await window.picture(`menu-${name}`);
    await window.page.keyboard.press('Escape');
    await window.page.locator('.monaco-menu').waitFor({ state: 'hidden' });
  });

  it('is not in the context menu of what is no specification', async () => {
    const { window } = used();
    await window.treeItem('main.mjs').first().click({ button: 'right' });
    await window.page.locator('.monaco-menu').getByText('Rename...').waitFor();
    await expect(window.page.locator('.monaco-menu').getByText(entry).count()).resolves.toBe(0);
    await window.page.keyboard.press('Escape');
  });

  it('is in the title of an editor with a specification, and takes it', async () => {
    const { window } = used();
    await window.openFile('spec.md');
    await window.page.locator('.editor-actions').getByRole('button', { name: entry }).click();
    await window.page.getByText(/Build from Spec \(1\/\d\)/u).waitFor();
    await window.picture('editor-title');
    await window.closeQuickInput();
  });
});

describe('the walkthrough', () => {
  const used = useWorkbench();

  it('has its pages', async () => {
    const { window } = used();
    await window.runCommand('Welcome: Open Walkthrough...');
    await window.pick('Build Software with a Swarm');
    await window.page.getByText('See a Build').first().waitFor();
    await window.picture('walkthrough');
  });
});
