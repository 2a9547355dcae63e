import { describe, expect, it } from 'vitest';
import { useWorkbench } from './use-workbench.ts';

/** On a machine that is busy the demo takes some times what it takes alone. */
const demoLimit = 90_000;

describe('Open Demo', () => {
  const used = useWorkbench();

  it('builds the example in the empty folder, and the tree of agents fills while it runs', async () => {
    const { window, workbench } = used();
    await window.showContainer('Swarmwright');
    await window.openDemo();
    await window.treeItem(/^skeleton/u).waitFor();
    await window.treeItem(/^lexer/u).waitFor({ timeout: demoLimit });
    await window.statusBarItem('Build complete').waitFor({ timeout: demoLimit });
    await expect(window.treeItem(/^skeleton/u).getAttribute('aria-label')).resolves.toMatch(/done/u);
    await expect(workbench.server.read('spec.md')).resolves.toMatch(/^# MiniSQL/u);
  });
});
