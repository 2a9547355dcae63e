import { afterAll, afterEach, beforeAll, type RunnerTask } from 'vitest';
import { testExtensionVsix } from '../test-extension.ts';
import { vsix } from '../places.ts';
import { Workbench, type WorkbenchOptions, type WorkbenchWindow } from '../workbench.ts';

interface Used {
  readonly workbench: Workbench;
  /** The first window, on the workspace. */
  readonly window: WorkbenchWindow;
}

export interface UsedOptions extends WorkbenchOptions {
  /** The playbook that the models of the editor play (`model-provider/`); without it the editor has none. */
  readonly modelPlaybook?: string;
}

/**
 * A workbench with the packed extension for the tests of a file. What is returned gives it, once tests run. A failed
 * test leaves a picture in `.tmp/vscode/pictures`.
 */
export function useWorkbench(options: UsedOptions = {}): () => Used {
  let used: Used | undefined;
  const current = (): Used => {
    if (!used) throw new Error('the workbench is there once tests run');
    return used;
  };
  beforeAll(async () => {
    const { modelPlaybook, extensions = [], environment = {} } = options;
    const models = modelPlaybook === undefined ? [] : [testExtensionVsix('model-provider')];
    const playbook = modelPlaybook === undefined ? {} : { SWARMWRIGHT_TEST_PLAYBOOK: modelPlaybook };
    const workbench = await Workbench.start({
      ...options,
      extensions: [vsix, ...models, ...extensions],
      environment: { ...playbook, ...environment },
    });
    try {
      used = { workbench, window: await workbench.openWindow() };
    } catch (error) {
      await workbench.close();
      throw error;
    }
  });
  afterEach(async ({ task }) => {
    if (used) await pictureFailure(used.window, task);
  });
  afterAll(async () => {
    await used?.workbench.close();
  });
  return current;
}

/** For windows that a test has opened besides the first one, at its end. */
export async function closeWindow(window: WorkbenchWindow, task: RunnerTask): Promise<void> {
  await pictureFailure(window, task, '-window');
  await window.close();
}

async function pictureFailure(window: WorkbenchWindow, task: RunnerTask, suffix = ''): Promise<void> {
  if (task.result?.state === 'fail') await window.picture(`${task.name.replaceAll(/\W+/gu, '-')}${suffix}`);
}
