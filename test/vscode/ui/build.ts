import type { WorkbenchWindow } from '../workbench.ts';

/** Chooses a row in one step of "Build from Spec…": lists take each other's place, and rows have the same names. */
export async function pickInStep(window: WorkbenchWindow, step: number, label: string): Promise<void> {
  await window.page.getByText(new RegExp(String.raw`Build from Spec \(${step}/\d\)`, 'u')).waitFor();
  await window.pick(label);
}

/** Goes through the questions of "Build from Spec…" for the greeter, with its playbook. */
export async function buildGreeter(window: WorkbenchWindow): Promise<void> {
  await window.runCommand('Swarmwright: Build from Spec…');
  await pickInStep(window, 1, 'spec.md');
  await pickInStep(window, 2, 'The playbook playbook.yaml');
  await pickInStep(window, 3, 'The playbook playbook.yaml');
  await pickInStep(window, 4, "The planner's model");
  await pickInStep(window, 5, 'npm test');
  await pickInStep(window, 6, 'Build in workspace');
}
