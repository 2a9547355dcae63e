import { commands, Disposable, l10n, window, workspace, type TextEditor, type Uri } from 'vscode';
import { errorReport } from '#protocol/rpc.ts';
import type { TaskPath } from '#protocol/tasks.ts';
import type { CurrentRun } from '../current-run.ts';
import type { Messenger } from '../messenger.ts';
import { plainText } from '../plain-text.ts';
import type { RunView } from '../run-view.ts';
import type { RuntimeThread } from '../runtime-thread.ts';
import { FollowEnd } from './follow-end.ts';
import { fileChanges, type FileChange } from './task-changes.ts';
import { TranscriptDocuments, transcriptScheme, transcriptUri } from './transcript-documents.ts';

/** Files in one view of changes: more take seconds to open. */
const filesAtOnce = 100;

export interface TranscriptsParts {
  readonly run: CurrentRun;
  readonly thread: RuntimeThread;
  readonly messenger: Messenger;
}

/** Documents of agents, and the commands that open them. */
export function registerTranscripts({ run, thread, messenger }: TranscriptsParts): Disposable {
  const documents = new TranscriptDocuments(
    () => thread.api,
    (error) => {
      messenger.log(errorReport(error));
    },
  );
  const end = new FollowEnd(transcriptScheme);
  const opener = new Opener(run, thread, documents, end);
  let listener: Disposable | undefined;
  const show = (view: RunView | undefined): void => {
    listener?.dispose();
    listener = view?.onDidChange((events) => {
      documents.take(view.store, events);
    });
    // What is open may have been read from the store of the same run, before it was shown.
    if (view) documents.take(view.store, []);
  };
  show(run.view);
  const command = (id: string, open: (...given: unknown[]) => Promise<void>): Disposable =>
    commands.registerCommand(id, async (...given: unknown[]) => {
      try {
        await open(...given);
      } catch (error) {
        messenger.error(error);
      }
    });
  return Disposable.from(
    documents,
    end,
    run.onDidChange(show),
    { dispose: () => listener?.dispose() },
    workspace.registerFileSystemProvider(transcriptScheme, documents, {
      isCaseSensitive: true,
      isReadonly: true,
    }),
    command('swarmwright.openTranscript', async (target, attempt, options) =>
      opener.openTranscript(target, attempt, preservesFocus(options)),
    ),
    command('swarmwright.showTaskChanges', async (target) => opener.showChanges(target)),
  );
}

class Opener {
  readonly #run: CurrentRun;
  readonly #thread: RuntimeThread;
  readonly #documents: TranscriptDocuments;
  readonly #end: FollowEnd;

  constructor(run: CurrentRun, thread: RuntimeThread, documents: TranscriptDocuments, end: FollowEnd) {
    this.#run = run;
    this.#thread = thread;
    this.#documents = documents;
    this.#end = end;
  }

  /** Of an item of the tree, of a task by its path, or of one that the user picks. */
  async openTranscript(target: unknown, attempt: unknown, preserveFocus: boolean): Promise<void> {
    const { view } = this.#run;
    const task = view && (taskIn(target) ?? (await pickTask(view, ({ attempt: agents }) => agents > 0)));
    if (view === undefined || task === undefined) return;
    const agent =
      typeof attempt === 'number' ? `${task}@${attempt}` : await this.#pickAgent(view.store, task);
    if (agent === undefined) return;
    const uri = transcriptUri({ kind: 'transcript', store: view.store, agent });
    const editor = await openDocument(uri, preserveFocus);
    const node = view.state.tasks.get(task);
    const isOver = node === undefined || ['done', 'failed', 'cancelled'].includes(node.state);
    if (!isOver) this.#end.start(editor);
  }

  async showChanges(target: unknown): Promise<void> {
    const { view } = this.#run;
    const task = view && (taskIn(target) ?? (await pickTask(view, ({ commits }) => commits > 0)));
    if (view === undefined || task === undefined) return;
    const changes = fileChanges(await this.#documents.changesOf(view.store, task));
    const [only] = changes;
    if (only === undefined) {
      void window.showInformationMessage(plainText(l10n.t('{0} has changed nothing on trunk.', task)));
      return;
    }
    const sides = (change: FileChange): readonly [before: Uri, after: Uri] => [
      this.#side('before', view.store, task, change),
      this.#side('after', view.store, task, change),
    ];
    if (changes.length === 1) {
      await commands.executeCommand('vscode.diff', ...sides(only), l10n.t('{0}: {1}', task, only.path));
      return;
    }
    const part = await pickPart(changes);
    if (part === undefined) return;
    const rows = part.changes.map((change) => {
      const [before, after] = sides(change);
      // A side that is not there is an empty one for the view: it tells an added file from a changed one by that.
      const isAdded = change.first.before === undefined;
      const isDeleted = change.last.after === undefined;
      return [isDeleted ? before : after, isAdded ? undefined : before, isDeleted ? undefined : after];
    });
    await commands.executeCommand('vscode.changes', l10n.t('Changes of {0}', task) + part.title, rows);
  }

  #side(kind: 'before' | 'after', store: string, task: TaskPath, { path, first, last }: FileChange): Uri {
    const { commit } = kind === 'before' ? first : last;
    return transcriptUri({ kind, store, task, commit, path });
  }

  async #pickAgent(store: string, task: TaskPath): Promise<string | undefined> {
    const agents = await this.#thread.api.agentsOf(store, task);
    const [only] = agents;
    if (only === undefined) {
      void window.showInformationMessage(plainText(l10n.t('No agent has worked on {0} yet.', task)));
      return undefined;
    }
    if (agents.length === 1) return only;
    return window.showQuickPick(agents.toReversed(), { placeHolder: l10n.t('Which agent of {0}?', task) });
  }
}

/** What a command was called with: an item of the tree, or a path. */
function taskIn(target: unknown): TaskPath | undefined {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return undefined;
  return 'path' in target && typeof target.path === 'string' ? target.path : undefined;
}

async function pickTask(
  { state }: RunView,
  isOffered: (task: { readonly attempt: number; readonly commits: number }) => boolean,
): Promise<TaskPath | undefined> {
  const paths = [...state.tasks.values()].filter(isOffered).map(({ path }) => path);
  return window.showQuickPick(paths, { placeHolder: l10n.t('Which task?') });
}

async function pickPart(
  changes: readonly FileChange[],
): Promise<{ readonly changes: readonly FileChange[]; readonly title: string } | undefined> {
  if (changes.length <= filesAtOnce) return { changes, title: '' };
  const parts = Array.from({ length: Math.ceil(changes.length / filesAtOnce) }, (_, index) => {
    const part = changes.slice(index * filesAtOnce, (index + 1) * filesAtOnce);
    const first = index * filesAtOnce + 1;
    const label = l10n.t('Files {0}-{1} of {2}', first, first + part.length - 1, changes.length);
    return { label, changes: part, title: ` (${label})` };
  });
  return window.showQuickPick(parts);
}

/** A click in a tree leaves the focus there. */
function preservesFocus(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  return 'preserveFocus' in options && options.preserveFocus === true;
}

async function openDocument(uri: Uri, preserveFocus: boolean): Promise<TextEditor> {
  return window.showTextDocument(await workspace.openTextDocument(uri), { preview: true, preserveFocus });
}
