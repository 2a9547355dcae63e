import { describe, expect, it } from 'vitest';
import { useWorkbench } from './use-workbench.ts';

describe('the installed extension', () => {
  const used = useWorkbench({ files: { 'README.md': '# A workspace\n' } });

  it('has a view container with the tree of agents', async () => {
    const { window } = used();
    await window.showContainer('Swarmwright');
    await expect(window.page.locator('.part.sidebar').innerText()).resolves.toMatch(/agents/iu);
  });

  it('offers its commands in the palette', async () => {
    const { window } = used();
    // Commands of an extension come a moment after the window.
    await expect
      .poll(async () => window.paletteItems('Swarmwright: '), { timeout: 20_000 })
      .toContain('Swarmwright: Build from Spec…');
  });
});
