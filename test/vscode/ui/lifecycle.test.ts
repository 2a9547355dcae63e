import { describe, it } from 'vitest';
import { greeterTurns } from '../../command-line/greeter.ts';
import { buildGreeter } from './build.ts';
import { greeterSettings, greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

const options = { files: greeterWorkspace(greeterTurns('sleep 5')), settings: greeterSettings };

describe('a build whose window is reloaded', () => {
  const used = useWorkbench(options);

  it('is offered to be resumed, and ends complete', async () => {
    const { window } = used();
    await buildGreeter(window);
    await window.statusBarItem(/\d agent/u).waitFor();
    await window.reload();
    await window.statusBarItem(/Build (?:was cut off|stopped)/u).waitFor();
    await window.picture('cut-off');
    await window.answerNotification('was cut off', 'Resume');
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
  });

  it('is shown again after it has ended, and nothing is asked', async () => {
    const { window } = used();
    await window.reload();
    await window.statusBarItem('Build complete').waitFor();
    await window.notification('was cut off').waitFor({ state: 'hidden' });
  });
});

describe('a build whose extension host is killed', () => {
  const used = useWorkbench(options);

  it('loses nothing: the host comes back and the run is resumed', async () => {
    const { window, workbench } = used();
    await buildGreeter(window);
    await window.statusBarItem(/\d agent/u).waitFor();
    workbench.server.killExtensionHosts();
    await window.reload();
    await window.answerNotification('was cut off', 'Resume');
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
  });
});

describe('a second window on the folder', () => {
  // Long enough for a window to open on a busy machine.
  const used = useWorkbench({ ...options, files: greeterWorkspace(greeterTurns('sleep 90')) });

  it('follows the build of the first one, and cannot drive it meanwhile', async () => {
    const { window, workbench } = used();
    await buildGreeter(window);
    await window.statusBarItem(/\d agent/u).waitFor();
    const second = await workbench.openWindow();
    await second.statusBarItem('Build in another window').waitFor();
    await second.picture('following');
    await second.page.bringToFront();
    await second.runCommand('Swarmwright: Resume');
    await second.notification(/stop it there, then resume it here/u).waitFor();
    await window.page.bringToFront();
    await window.runCommand('Swarmwright: Stop');
    await window.statusBarItem('Build stopped').waitFor();
    await second.statusBarItem('Build stopped').waitFor();
  });
});
