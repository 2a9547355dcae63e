import { commands, l10n, window, workspace, type Uri, type WorkspaceFolder } from 'vscode';

/** Why nothing can be built in a folder. */
export type FolderProblem = 'no-folder' | 'read-only' | 'untrusted' | 'virtual';

/** What is wrong with a place to build in, as far as VS Code knows; the runtime finds the rest. */
export function folderProblem(folder: Uri): FolderProblem | undefined {
  if (!workspace.isTrusted) return 'untrusted';
  if (folder.scheme !== 'file') return 'virtual';
  return workspace.fs.isWritableFileSystem(folder.scheme) === false ? 'read-only' : undefined;
}

/**
 * The folder to build in: the one that holds `near`, the only one, or the one that the user picks. Undefined when there
 * is none that can be used, which the user has been told, or when the user has backed out.
 */
export async function chooseBuildFolder(near: Uri | undefined): Promise<WorkspaceFolder | undefined> {
  const folder = await pickFolder(near);
  if (folder === 'backed-out') return undefined;
  const problem = folder === undefined ? noFolderProblem() : folderProblem(folder.uri);
  if (problem === undefined) return folder;
  await tellFolderProblem(problem);
  return undefined;
}

function noFolderProblem(): FolderProblem {
  return workspace.isTrusted ? 'no-folder' : 'untrusted';
}

async function pickFolder(near: Uri | undefined): Promise<WorkspaceFolder | 'backed-out' | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const holding = near && workspace.getWorkspaceFolder(near);
  if (holding) return holding;
  if (folders.length <= 1) return folders[0];
  return (
    (await window.showWorkspaceFolderPick({ placeHolder: l10n.t('The folder to build in') })) ?? 'backed-out'
  );
}

/** Says why, and offers the way on. */
export async function tellFolderProblem(problem: FolderProblem): Promise<void> {
  switch (problem) {
    case 'untrusted': {
      const manage = l10n.t('Manage Workspace Trust');
      const answer = await window.showWarningMessage(
        l10n.t('Building runs commands and calls models, so the folder must be trusted first.'),
        manage,
      );
      if (answer === manage) await commands.executeCommand('workbench.trust.manage');
      return;
    }
    case 'no-folder': {
      const open = l10n.t('Open Folder…');
      const answer = await window.showWarningMessage(
        l10n.t('Open a folder to build in: it may be empty, or hold code that is to be extended.'),
        open,
      );
      if (answer === open) await commands.executeCommand('workbench.action.files.openFolder');
      return;
    }
    case 'virtual':
    case 'read-only': {
      const open = l10n.t('Open Folder…');
      const answer = await window.showWarningMessage(
        problem === 'virtual'
          ? l10n.t('Swarmwright builds in folders on disk, and this one is not: open another one.')
          : l10n.t('This folder is read-only: open one that can be written.'),
        open,
      );
      if (answer === open) await commands.executeCommand('workbench.action.files.openFolder');
      return;
    }
    default:
      problem satisfies never;
  }
}
