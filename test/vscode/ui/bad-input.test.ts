import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '#edges/file-system.ts';
import { loadPlaybook } from '#models/playbook/load-playbook.ts';
import type { Price } from '#models/chat-model.ts';
import { greeterTurns } from '../../command-line/greeter.ts';
import { FollowedFacts } from '../../loopback/followed-facts.ts';
import { startLoopbackServer, type LoopbackServer } from '../../loopback/server.ts';
import type { WorkbenchServer } from '../workbench-server.ts';
import type { WorkbenchWindow } from '../workbench.ts';
import { pickInStep } from './build.ts';
import { greeterSettings, greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

/** Everything that the editor and its extensions have logged. */
async function logs(server: WorkbenchServer): Promise<string> {
  const entries = await readdir(server.path('data/logs'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.log'));
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  return texts.join('\n');
}

/** The settings of the machine, where base URLs stand. Windows read them when they are loaded. */
async function machineSettings(server: WorkbenchServer, settings: object): Promise<void> {
  await mkdir(server.path('data/Machine'), { recursive: true });
  await writeFile(server.path('data/Machine/settings.json'), JSON.stringify(settings));
}

async function setKey(window: WorkbenchWindow, key: string): Promise<void> {
  const input = window.page.locator('.quick-input-widget:visible input[type="password"]');
  await input.fill(key);
  await input.press('Enter');
}

/** With a model that has a price, so that a budget is asked for. */
async function build(window: WorkbenchWindow, budget: string): Promise<void> {
  await window.runCommand('Swarmwright: Build from Spec…');
  await pickInStep(window, 1, 'spec.md');
  await pickInStep(window, 2, 'openai/greeter');
  await pickInStep(window, 3, 'openai/greeter');
  await pickInStep(window, 4, "The planner's model");
  await window.page.getByText('Dollars that the build may spend').waitFor();
  await window.answer(budget);
  await pickInStep(window, 6, 'npm test');
  await pickInStep(window, 7, 'Build in workspace');
}

describe('an untrusted workspace', () => {
  const used = useWorkbench({ workspaceTrust: true, files: greeterWorkspace(), settings: greeterSettings });

  it('offers no build, and says what to do', async () => {
    const { window } = used();
    await window.showContainer('Swarmwright');
    await window.page.getByText('the folder must be trusted first').waitFor();
    const offered = await window.paletteItems('Swarmwright: ');
    expect(offered).toContain('Swarmwright: Show Log');
    expect(offered).not.toContain('Swarmwright: Build from Spec…');
    await window.picture('untrusted');
  });

  it('offers it once it is trusted', async () => {
    const { window } = used();
    await window.trustWorkspace();
    await window.showContainer('Swarmwright');
    await window.page.getByText('Give a specification to a swarm').waitFor();
    await expect(window.paletteItems('Swarmwright: ')).resolves.toContain('Swarmwright: Build from Spec…');
  });
});

describe('no folder', () => {
  const used = useWorkbench();

  it('offers to open one, and the demo', async () => {
    const { workbench } = used();
    const window = await workbench.openWindow(null);
    await window.showContainer('Swarmwright');
    await window.page.getByText('Open a folder to build in').waitFor();
    await window.page.getByRole('button', { name: 'Open Folder' }).first().waitFor();
    const offered = await window.paletteItems('Swarmwright: ');
    expect(offered).toContain('Swarmwright: Open Demo');
    expect(offered).not.toContain('Swarmwright: Build from Spec…');
    expect(offered).not.toContain('Swarmwright: Resume');
    await window.picture('no-folder');
  });
});

describe('a provider', () => {
  const used = useWorkbench({
    files: greeterWorkspace(greeterTurns('sleep 1')),
    settings: {
      'swarmwright.models.planner': 'openai/greeter',
      'swarmwright.models.worker': 'openai/greeter',
    },
  });
  let loopback: LoopbackServer;
  const price: Price = { input: 1, cachedInput: 1, output: 1 };
  beforeAll(async () => {
    const { server } = used().workbench;
    loopback = await startLoopbackServer({
      playbook: await loadPlaybook(join(server.workspace, 'playbook.yaml'), nodeFileSystem),
      facts: new FollowedFacts({ state: server.state }),
      models: { greeter: price },
      apiKey: 'the-right-key',
    });
    await machineSettings(server, { 'swarmwright.baseUrls': { openai: loopback.baseUrl } });
    await used().window.reload();
  });
  afterAll(async () => {
    await loopback.close();
  });

  it('whose key is missing is asked for it when its model is chosen; one that is refused is asked for again', async () => {
    const { window } = used();
    await window.runCommand('Swarmwright: Build from Spec…');
    await pickInStep(window, 1, 'spec.md');
    await pickInStep(window, 2, 'openai/greeter');
    await window.page.getByText('API Key of OpenAI').waitFor();
    await window.picture('key-missing');
    await setKey(window, 'the-wrong-key');
    await pickInStep(window, 3, 'openai/greeter');
    await pickInStep(window, 4, "The planner's model");
    await pickInStep(window, 5, 'Go on without a budget');
    await pickInStep(window, 6, 'npm test');
    await pickInStep(window, 7, 'Build in workspace');
    await window.notification('OpenAI did not accept the API key').waitFor();
    await window.picture('key-refused');
    await window.answerNotification('OpenAI did not accept the API key', 'Set API Key…');
    await setKey(window, 'the-right-key');
    await window.runCommand('Swarmwright: Resume');
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
  });

  it('whose price is told by its server keeps the budget, and goes on when it is raised', async () => {
    const { window } = used();
    await build(window, '0.02');
    await window.notification('The budget of $0.02 leaves too little').waitFor({ timeout: 60_000 });
    await window.picture('budget-reached');
    await window.answerNotification('The budget of $0.02', 'Raise Budget…');
    await window.page.getByText('Dollars that the run may spend, from its beginning').waitFor();
    await window.answer('5');
    await window.statusBarItem(/Build complete, .* of \$5\.00/u).waitFor({ timeout: 60_000 });
  });

  it('leaves no key in the log of the extension', async () => {
    const { server } = used().workbench;
    await expect.poll(async () => logs(server), { timeout: 20_000 }).toContain('ModelError auth');
    expect(await logs(server)).not.toMatch(/the-(?:right|wrong)-key/u);
  });
});
