import { isAbsolute } from 'node:path';
import { commands, type Disposable, l10n, ProgressLocation, Uri, window, workspace } from 'vscode';
import type { RecordedRun } from '#protocol/runtime-api.ts';
import type { CurrentRun } from '../current-run.ts';
import type { Messenger } from '../messenger.ts';
import type { RuntimeThread } from '../runtime-thread.ts';

export interface RecordingParts {
  readonly run: CurrentRun;
  readonly thread: RuntimeThread;
  readonly messenger: Messenger;
}

/** "Record Run as Playbook…": the run that is shown, in a folder that the user names. */
export function registerRecording({ run, thread, messenger }: RecordingParts): Disposable {
  return commands.registerCommand(
    'swarmwright.recordRun',
    async (given?: unknown): Promise<RecordedRun | undefined> => {
      const { view } = run;
      if (!view) return undefined;
      const folder = folderGiven(given) ?? (await chooseFolder(view.state.options?.specTitle ?? 'run'));
      if (folder === undefined) return undefined;
      try {
        const recorded = await window.withProgress(
          { location: ProgressLocation.Window, title: l10n.t('Recording the run') },
          async () => thread.api.recordRun(view.store, folder.fsPath),
        );
        // Its first lines say what a run of it may do otherwise.
        await window.showTextDocument(Uri.file(recorded.file));
        return recorded;
      } catch (error) {
        messenger.error(error);
        return undefined;
      }
    },
  );
}

function folderGiven(given: unknown): Uri | undefined {
  return typeof given === 'string' && isAbsolute(given) ? Uri.file(given) : undefined;
}

/** A dialog that saves, as the folder is made. */
async function chooseFolder(title: string): Promise<Uri | undefined> {
  const name = `${
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/gu, '') || 'run'
  }-playbook`;
  const parent = workspace.workspaceFolders?.[0]?.uri;
  return window.showSaveDialog({
    title: l10n.t('A New Folder for the Playbook'),
    saveLabel: l10n.t('Record'),
    ...(parent === undefined ? {} : { defaultUri: Uri.joinPath(parent, name) }),
  });
}
