import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { greeterTurns, writtenPlaybook } from '../../command-line/greeter.ts';
import { pickInStep } from './build.ts';
import { greeterWorkspace } from './greeter.ts';
import { useWorkbench } from './use-workbench.ts';

const modelPlaybook = join(mkdtempSync(join(tmpdir(), 'playbook-')), 'playbook.yaml');
writeFileSync(modelPlaybook, writtenPlaybook(greeterTurns('sleep 8')));

const large = 'vscode/swarmwright-test/large';
const small = 'vscode/swarmwright-test/small';

describe('a model of the editor that is removed in mid-run', () => {
  const used = useWorkbench({
    files: greeterWorkspace(),
    modelPlaybook,
    settings: { 'swarmwright.models.planner': large, 'swarmwright.models.worker': large },
  });

  it('ends the run with its reason, and the run goes on with another model', async () => {
    const { window } = used();
    await window.runCommand('Swarmwright: Build from Spec…');
    await pickInStep(window, 1, 'spec.md');
    await pickInStep(window, 2, large);
    await pickInStep(window, 3, large);
    await pickInStep(window, 4, "The planner's model");
    await pickInStep(window, 5, 'Go on without a budget');
    await pickInStep(window, 6, 'npm test');
    await pickInStep(window, 7, 'Build in workspace');
    await window.showContainer('Swarmwright');
    await window.treeItem(/^greet/u).waitFor();
    await window.runCommand('Swarmwright Test: Remove Models');
    await window.notification(`The model ${large} is not there, or no longer`).waitFor({ timeout: 60_000 });
    await window.picture('model-removed');
    await window.runCommand('Swarmwright Test: Add Models');
    await window.answerNotification(`The model ${large}`, 'Choose Models…');
    for (let role = 0; role < 3; role += 1) {
      await window.page.getByText(`Resume with Other Models (${role + 1}/3)`).waitFor();
      await window.quickInput.fill(small);
      await window.quickInputRows().first().click();
    }
    await window.statusBarItem('Build complete').waitFor({ timeout: 60_000 });
  });
});
