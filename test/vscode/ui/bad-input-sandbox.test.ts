import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildGreeter } from './build.ts';
import { greeterSettings, greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

/** As bubblewrap ends where the system does not let users make namespaces. */
const broken = join(mkdtempSync(join(tmpdir(), 'bwrap-')), 'bwrap');
writeFileSync(
  broken,
  '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit\necho bwrap: No permissions >&2\nexit 1\n',
);
chmodSync(broken, 0o755);

/** How many runs have a store below the state folder. */
async function runsOf(state: string): Promise<number> {
  const [workspace = ''] = await readdir(join(state, 'runs'));
  const entries = await readdir(join(state, 'runs', workspace), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).length;
}

describe('a machine without a sandbox', () => {
  const used = useWorkbench({
    files: {
      ...greeterWorkspace(),
      // A repository that tries to switch it off.
      '.vscode/settings.json': '{ "swarmwright.unsandboxed": true, "swarmwright.sandbox": false }\n',
    },
    settings: greeterSettings,
    within: ['bwrap', '--dev-bind', '/', '/', '--ro-bind', broken, '/usr/bin/bwrap'],
  });

  it('asks before commands run without one, and starts nothing when the user does not agree', async () => {
    const { window } = used();
    await buildGreeter(window);
    const dialog = window.dialog('Run commands without a sandbox?');
    await dialog.waitFor();
    await window.picture('no-sandbox');
    await expect(dialog.innerText()).resolves.toContain('bwrap: No permissions');
    await window.answerDialog('Run commands without a sandbox?', 'Cancel');
    await dialog.waitFor({ state: 'hidden' });
    await window.showContainer('Swarmwright');
    await window.page.getByText('Give a specification to a swarm').waitFor();
  });

  it('asks once a workspace: what the user has agreed to is kept', async () => {
    const { window, workbench } = used();
    await buildGreeter(window);
    await window.answerDialog('Run commands without a sandbox?', 'Run Without a Sandbox');
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
    await window.reload();
    await window.statusBarItem('Build complete').waitFor();
    await buildGreeter(window);
    await expect.poll(async () => runsOf(workbench.server.state), { timeout: 60_000 }).toBe(2);
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
    await expect(window.dialog('Run commands without a sandbox?').count()).resolves.toBe(0);
  });
});
