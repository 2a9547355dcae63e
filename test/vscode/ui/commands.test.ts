import { describe, expect, it } from 'vitest';
import { greeterTurns } from '../../command-line/greeter.ts';
import { buildGreeter, pickInStep } from './build.ts';
import { greeterSettings, greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

describe('commands of a run', () => {
  const used = useWorkbench({
    files: greeterWorkspace(greeterTurns('sleep 4')),
    settings: greeterSettings,
  });

  it('offers only what can be done before anything was built', async () => {
    const { window } = used();
    await window.showContainer('Swarmwright');
    await window.page.getByText('Give a specification to a swarm').waitFor();
    const offered = await window.paletteItems('Swarmwright: ');
    expect(offered).toEqual(
      expect.arrayContaining([
        'Swarmwright: Build from Spec…',
        'Swarmwright: Open Demo',
        'Swarmwright: Resume',
        'Swarmwright: Set API Key…',
        'Swarmwright: Show Log',
      ]),
    );
    expect(offered).not.toContain('Swarmwright: Pause');
    expect(offered).not.toContain('Swarmwright: Stop');
  });

  it('asks step by step, with a way back, and says what will happen before it starts', async () => {
    const { window } = used();
    await window.runCommand('Swarmwright: Build from Spec…');
    await window.picture('wizard-spec');
    await window.pick('spec.md');
    await window.quickInputRows('The playbook playbook.yaml').waitFor();
    await window.picture('wizard-planner');
    await window.page.getByRole('button', { name: 'Back' }).click();
    await window.pick('spec.md');
    await pickInStep(window, 2, 'The playbook playbook.yaml');
    await pickInStep(window, 3, 'The playbook playbook.yaml');
    await pickInStep(window, 4, "The planner's model");
    await window.quickInputRows('npm test').waitFor();
    await window.picture('wizard-verify');
    await pickInStep(window, 5, 'npm test');
    await window.quickInputRows('Build in workspace').waitFor();
    await window.picture('wizard-confirm');
    await window.pick('Build in workspace');
    await window.statusBarItem(/\d agent/u).waitFor();
  });

  it('pauses and goes on from the view, and ends complete', async () => {
    const { window } = used();
    await window.showContainer('Swarmwright');
    await window.runCommand('Swarmwright: Pause');
    await window.statusBarItem('Build paused').waitFor();
    await window.picture('paused');
    await window.runCommand('Swarmwright: Resume');
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
    await window.picture('complete');
  });

  it('stops a build, and goes on with it', async () => {
    const { window } = used();
    await buildGreeter(window);
    await window.statusBarItem(/\d agent/u).waitFor();
    await window.runCommand('Swarmwright: Stop');
    await window.statusBarItem('Build stopped').waitFor();
    await window.runCommand('Swarmwright: Resume');
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
  });
});
