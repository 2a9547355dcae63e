import { window, type ExtensionContext } from 'vscode';
import { registerAgents } from './agents/register-agents.ts';
import { CurrentRun } from './current-run.ts';
import { registerDashboard } from './dashboard/register-dashboard.ts';
import { EditorModels } from './editor-models/editor-models.ts';
import { registerLanding } from './landing/register-landing.ts';
import { Messenger } from './messenger.ts';
import { registerRecording } from './recording/register-recording.ts';
import { registerRuns } from './register-runs.ts';
import { RuntimeThread } from './runtime-thread.ts';
import { SafeLog } from './safe-log.ts';
import { registerTranscripts } from './transcripts/register-transcripts.ts';

let thread: RuntimeThread | undefined;

/** Composes the extension; nothing is started before it is asked for. */
export function activate(context: ExtensionContext): void {
  const channel = window.createOutputChannel('Swarmwright', { log: true });
  const output = new SafeLog(channel);
  thread = new RuntimeThread(
    context.asAbsolutePath('dist/worker.js'),
    {
      events: (store, events) => {
        run.take(store, events);
      },
      ended: (store, outcome) => {
        run.ended(store, outcome);
      },
      freed: (store) => {
        run.freed(store);
      },
      log: (level, message) => {
        output[level](message);
      },
      chat: async (call, model, request) => editorModels.chat(call, model, request),
      cancelChat: (call) => {
        editorModels.cancelChat(call);
      },
    },
    ({ reason }) => {
      output.error(`The runtime has stopped: ${reason}`);
      editorModels.cancelAll();
      const { view } = run;
      run.forget();
      runs.recover(view);
    },
  );
  const runtime = thread;
  const editorModels = new EditorModels(context.languageModelAccessInformation, (call, event) => {
    if (runtime.isRunning) void runtime.api.chatEvent(call, event);
  });
  const run = new CurrentRun(thread, (error) => {
    output.error(String(error));
  });
  const runs = registerRuns({ context, thread, run, output, editorModels });
  context.subscriptions.push(channel, run, editorModels, runs);
  context.subscriptions.push(registerAgents({ run, memento: context.workspaceState }));
  const messenger = new Messenger(output);
  context.subscriptions.push(registerTranscripts({ run, thread, messenger }));
  context.subscriptions.push(registerRecording({ run, thread, messenger }));
  context.subscriptions.push(registerLanding({ context, thread, run, output }));
  context.subscriptions.push(registerDashboard({ run, thread, output, extensionUri: context.extensionUri }));
}

/** Within a second; nothing depends on it. */
export async function deactivate(): Promise<void> {
  await thread?.dispose();
}
