import {
  commands,
  type Disposable,
  FileType,
  l10n,
  Uri,
  window,
  workspace,
  type Memento,
  type QuickPickItem,
} from 'vscode';
import type { Messenger } from '../messenger.ts';
import type { RunCommandResult } from '../run/run-control.ts';
import { folderProblem, tellFolderProblem } from '../setup/build-folder.ts';
import { isRecord, type BuildArguments } from './build-arguments.ts';
import { readDemo } from './demo-files.ts';

export interface DemoParts {
  /** The example as the extension has it. */
  readonly example: Uri;
  /** Where its playbook is copied to: an update of the extension removes the old one, and runs would lose theirs. */
  readonly playbooks: Uri;
  /** Outlives the window: opening a folder starts the extensions anew. */
  readonly memory: Memento;
  readonly messenger: Messenger;
  readonly build: (asked: BuildArguments) => Promise<RunCommandResult>;
}

/** A demo that goes on once its folder has been opened. */
const pendingKey = 'swarmwright.pendingDemo';
/** Milliseconds after which it is forgotten: the user has done something else. */
const pendingLife = 120_000;

/** "Open Demo": a copy of the specification in an empty folder, built with scripted agents. It needs no key. */
export function registerOpenDemo(parts: DemoParts): Disposable {
  return commands.registerCommand(
    'swarmwright.openDemo',
    async (given?: unknown): Promise<RunCommandResult> => {
      try {
        const folder = folderGiven(given) ?? (await chooseFolder());
        return folder === undefined ? { kind: 'backed-out' } : await openDemo(parts, folder);
      } catch (error) {
        return { kind: 'refused', reason: parts.messenger.error(error) };
      }
    },
  );
}

/** Goes on with a demo for which this folder has just been opened. */
export async function continueDemo(parts: DemoParts): Promise<void> {
  const pending = parts.memory.get<unknown>(pendingKey);
  if (pending === undefined) return;
  const folder = workspace.workspaceFolders?.find(
    ({ uri }) => isRecord(pending) && uri.fsPath === pending['folder'],
  );
  const since = isRecord(pending) ? Number(pending['since']) : Number.NaN;
  const isFresh = Date.now() - since < pendingLife;
  if (folder === undefined && isFresh) return;
  await parts.memory.update(pendingKey, undefined);
  if (folder === undefined || !isFresh) return;
  if (workspace.isTrusted) {
    await openDemo(parts, folder.uri);
    return;
  }
  const waiting = workspace.onDidGrantWorkspaceTrust(() => {
    waiting.dispose();
    void openDemo(parts, folder.uri);
  });
  await tellFolderProblem('untrusted');
}

function folderGiven(given: unknown): Uri | undefined {
  if (given instanceof Uri) return given;
  return isRecord(given) && typeof given['folder'] === 'string' ? Uri.file(given['folder']) : undefined;
}

/** The open folder where it is empty and the user wants it, else one that is made where the user says. */
async function chooseFolder(): Promise<Uri | undefined> {
  const [open, ...others] = workspace.workspaceFolders ?? [];
  if (open && others.length === 0 && open.uri.scheme === 'file' && (await isFree(open.uri))) {
    const here: QuickPickItem = {
      label: l10n.t('Build the Demo in This Folder'),
      description: open.name,
      detail: l10n.t(
        'It is empty: its specification is written into it, and nothing else before you accept it',
      ),
    };
    const elsewhere: QuickPickItem = { label: l10n.t('Make a Folder Elsewhere…') };
    const picked = await window.showQuickPick([here, elsewhere], {
      title: l10n.t('Open Demo'),
      placeHolder: l10n.t('Where the demo is built'),
    });
    if (picked !== elsewhere) return picked && open.uri;
  }
  return makeFolder();
}

async function makeFolder(): Promise<Uri | undefined> {
  const [parent] =
    (await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: l10n.t('Where the Folder of the Demo Is Made'),
      openLabel: l10n.t('Make It Here'),
    })) ?? [];
  return parent && (await isFree(parent)) ? parent : parent && freeName(parent, 1);
}

async function freeName(parent: Uri, number: number): Promise<Uri> {
  const folder = Uri.joinPath(parent, number === 1 ? 'minisql-demo' : `minisql-demo-${number}`);
  return (await isFree(folder)) ? folder : freeName(parent, number + 1);
}

/** Whether nothing is in a folder, or it is not there; what only says how an editor works is nothing. */
async function isFree(folder: Uri): Promise<boolean> {
  try {
    const entries = await workspace.fs.readDirectory(folder);
    return entries.every(([name, type]) => type === FileType.Directory && ['.vscode', '.git'].includes(name));
  } catch {
    return true;
  }
}

async function openDemo(parts: DemoParts, folder: Uri): Promise<RunCommandResult> {
  const isOpen = workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === folder.fsPath) ?? false;
  const problem = isOpen ? folderProblem(folder) : undefined;
  if (problem !== undefined) {
    void tellFolderProblem(problem);
    return { kind: 'refused', reason: problem };
  }
  const demo = readDemo(await readText(Uri.joinPath(parts.example, 'demo.json')));
  const spec = Uri.joinPath(folder, demo.spec);
  await workspace.fs.createDirectory(folder);
  await copyIfMissing(Uri.joinPath(parts.example, demo.spec), spec);
  if (!isOpen) {
    await parts.memory.update(pendingKey, { folder: folder.fsPath, since: Date.now() });
    await commands.executeCommand('vscode.openFolder', folder, { forceReuseWindow: true });
    return { kind: 'backed-out' };
  }
  await commands.executeCommand('swarmwright.agents.focus', { preserveFocus: true });
  await workspace.fs.copy(parts.example, parts.playbooks, { overwrite: true });
  return parts.build({
    folder: folder.fsPath,
    spec: spec.fsPath,
    models: {},
    budgetUsd: null,
    verify: demo.verify,
    playbook: Uri.joinPath(parts.playbooks, demo.playbook).fsPath,
    concurrency: demo.concurrency,
  });
}

async function readText(file: Uri): Promise<string> {
  return new TextDecoder().decode(await workspace.fs.readFile(file));
}

async function copyIfMissing(from: Uri, to: Uri): Promise<void> {
  try {
    await workspace.fs.stat(to);
  } catch {
    await workspace.fs.copy(from, to);
  }
}
