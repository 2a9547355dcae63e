import type { WorkbenchWindow } from '../workbench.ts';

/** Goes through the questions of "Build from Spec…" for the greeter, with its playbook. */
export async function buildGreeter(window: WorkbenchWindow): Promise<void> {
  await window.runCommand('Swarmwright: Build from Spec…');
  await window.pick('spec.md');
  await window.pick('The playbook playbook.yaml');
  await window.pick('The playbook playbook.yaml');
  await window.pick("The planner's model");
  await window.pick('npm test');
  await window.pick('Build in workspace');
}
