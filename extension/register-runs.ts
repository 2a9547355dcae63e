import { commands, Disposable, Uri, type ExtensionContext } from 'vscode';
import { build, registerBuildFromSpec } from './commands/build-from-spec.ts';
import { BuildQuestions } from './commands/build-questions.ts';
import { ModelChoices } from './commands/model-choices.ts';
import { continueDemo, registerOpenDemo, type DemoParts } from './commands/open-demo.ts';
import { ResumeCommand } from './commands/resume.ts';
import { registerRunCommands } from './commands/run-commands.ts';
import { registerSetApiKey } from './commands/set-api-key.ts';
import type { CurrentRun } from './current-run.ts';
import type { EditorModels } from './editor-models/editor-models.ts';
import { Messenger } from './messenger.ts';
import { registerContextKeys } from './run/context-keys.ts';
import { registerLastRun } from './run/last-run.ts';
import { recover, registerLifecycle, showLastRun } from './run/lifecycle.ts';
import { registerMilestones } from './run/log-milestones.ts';
import { RunControl, type RunCommandResult } from './run/run-control.ts';
import type { RunView } from './run-view.ts';
import type { RuntimeThread } from './runtime-thread.ts';
import { KeyStore } from './setup/key-store.ts';
import { SandboxConsent } from './setup/sandbox-consent.ts';
import type { SafeLog } from './safe-log.ts';
import { registerStatusBar } from './status-bar.ts';

export interface RunsParts {
  readonly context: ExtensionContext;
  readonly thread: RuntimeThread;
  readonly run: CurrentRun;
  readonly output: SafeLog;
  readonly editorModels: EditorModels;
}

export interface Runs extends Disposable {
  /** The runtime has died by itself while this was shown. */
  recover(view: RunView | undefined): void;
}

/** Commands that start, steer and end runs, with what shows how they stand. */
export function registerRuns(parts: RunsParts): Runs {
  const { context, thread, run, output, editorModels } = parts;
  const memory = context.workspaceState;
  const messenger = new Messenger(output);
  const keys = new KeyStore(context.secrets, (values) => {
    output.hide(values);
  });
  const consent = new SandboxConsent(memory, async () => thread.api.sandbox());
  const control = new RunControl({ run, thread, keys, consent, messenger, editorModels });
  const choices = new ModelChoices(keys, thread, editorModels);
  const questions = new BuildQuestions({ choices, thread, memory });
  const resume = new ResumeCommand({
    control,
    thread,
    messenger,
    questions,
    build: async () => commands.executeCommand<RunCommandResult>('swarmwright.buildFromSpec'),
  });
  const demo: DemoParts = {
    example: Uri.joinPath(context.extensionUri, 'examples', 'minisql'),
    playbooks: Uri.joinPath(context.globalStorageUri, 'minisql'),
    memory: context.globalState,
    messenger,
    build: async (asked) => build({ control, messenger }, asked),
  };
  const lifecycle = { control, run, messenger, memory };
  const registered = Disposable.from(
    registerBuildFromSpec({ control, messenger, questions }),
    registerOpenDemo(demo),
    registerSetApiKey(keys),
    registerRunCommands(control, resume, output),
    registerStatusBar(run),
    registerContextKeys(run),
    registerLastRun(run, memory),
    registerMilestones(run, output),
    registerLifecycle(lifecycle),
  );
  // After `activate` has returned: it must be quick.
  setImmediate(() => {
    void continueDemo(demo);
    void showLastRun(lifecycle);
  });
  return {
    recover: (view) => {
      void recover(lifecycle, view);
    },
    dispose: () => {
      registered.dispose();
    },
  };
}
