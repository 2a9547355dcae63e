/** Ends the worker thread of the runtime and nothing else, by the debugger: no other extension can reach it. */
import { Session } from 'node:inspector';
import { commands, type ExtensionContext } from 'vscode';

/** As the extension names its thread. */
const threadName = 'swarmwright-runtime';

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(commands.registerCommand('swarmwright-thread-end.end', endThread));
}

/** Resolves when the thread is gone. */
async function endThread(): Promise<void> {
  const session = new Session();
  session.connect();
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
  const { promise: found, resolve: isFound } = Promise.withResolvers<string>();
  let thread: string | undefined;
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.includes(threadName)) return;
    thread = sessionId;
    isFound(sessionId);
  });
  session.on('NodeWorker.detachedFromWorker', ({ params: { sessionId } }) => {
    if (sessionId === thread) isGone();
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const message = { id: 1, method: 'Runtime.evaluate', params: { expression: 'process.exit(9)' } };
  session.post('NodeWorker.sendMessageToWorker', {
    sessionId: await found,
    message: JSON.stringify(message),
  });
  await gone;
  session.disconnect();
}
