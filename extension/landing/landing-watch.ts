import { Disposable, RelativePattern, TextDocumentChangeReason, window, workspace, type Uri } from 'vscode';
import type { FileSighting, LandingApi } from '#protocol/landing-api.ts';
import { isUndecided } from '#protocol/projection-review.ts';
import { bytesOf, documentOf, isFaithful } from './document-bytes.ts';
import type { FileQueue } from './file-queue.ts';
import { landingScheme } from './landing-names.ts';
import { inOrder, inParts } from './in-order.ts';
import type { ProposalEdits } from './proposal-edits.ts';
import type { ShownLandings } from './shown-landing.ts';

/** Milliseconds after the last change of a file in which the next may come: typing is looked at in its pauses. */
const typingPause = 400;
/** An undo is looked at at once. */
const undoPause = 20;
/** Files that are looked at together. */
const batch = 100;

/**
 * Notices what happens to the user's files while a landing is under review, in editors and on the disk, and tells the
 * runtime; and what the user edits in proposals.
 */
export class LandingWatch implements Disposable {
  readonly #landings: ShownLandings;
  readonly #api: () => LandingApi;
  readonly #queue: FileQueue;
  readonly #edits: ProposalEdits;
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: Disposable[] = [];
  #watched: { readonly root: string; readonly watcher: Disposable } | undefined;
  #landing: string | undefined;

  constructor(parts: {
    readonly landings: ShownLandings;
    readonly api: () => LandingApi;
    readonly queue: FileQueue;
    readonly edits: ProposalEdits;
    readonly onError: (error: unknown) => void;
  }) {
    this.#landings = parts.landings;
    this.#api = parts.api;
    this.#queue = parts.queue;
    this.#edits = parts.edits;
    this.#onError = parts.onError;
    this.#subscriptions.push(
      workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        if (contentChanges.length === 0) return;
        if (document.uri.scheme === landingScheme) this.#edits.keepLater(document);
        else this.#lookLater(document.uri, isUndo(reason) ? undoPause : typingPause);
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        this.#lookLater(uri, undoPause);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#lookLater(uri, undoPause);
      }),
      // A watcher can miss what happens on a disk: what the user comes back to, or opens, is looked at again.
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#lookAgain();
      }),
      window.tabGroups.onDidChangeTabs(({ opened }) => {
        if (opened.length > 0) this.#lookAgain();
      }),
      parts.landings.onDidChange(() => {
        this.#follow();
      }),
    );
    this.#follow();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#watched?.watcher.dispose();
    Disposable.from(...this.#subscriptions).dispose();
  }

  /** A landing that is shown first is compared with what the files hold by now. */
  #follow(): void {
    const { shown } = this.#landings;
    const id = shown?.landing.id;
    if (id === this.#landing) return;
    this.#landing = id;
    const root = id === undefined ? undefined : this.#landings.root;
    if (this.#watched?.root !== root?.toString()) {
      this.#watched?.watcher.dispose();
      this.#watched = root && { root: root.toString(), watcher: this.#watchDisk(root) };
    }
    if (shown !== undefined) this.#ignore(this.#lookAt([...shown.landing.files.keys()]));
  }

  #lookAgain(): void {
    this.#later('all', typingPause, async () => {
      const files = [...(this.#landings.pending?.landing.files.values() ?? [])];
      await this.#lookAt(files.filter(isUndecided).map(({ path }) => path));
    });
  }

  #watchDisk(root: Uri): Disposable {
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(root, '**/*'));
    const look = (uri: Uri): void => {
      this.#lookLater(uri, typingPause);
    };
    return Disposable.from(
      watcher,
      watcher.onDidChange(look),
      watcher.onDidCreate(look),
      watcher.onDidDelete(look),
    );
  }

  #lookLater(uri: Uri, pause: number): void {
    if (uri.scheme !== this.#landings.root.scheme || this.#landing === undefined) return;
    const path = this.#landings.pathOf(uri);
    if (path === undefined || this.#landings.file(path) === undefined) return;
    this.#later(uri.toString(), pause, async () => this.#lookAt([path]));
  }

  #later(name: string, pause: number, step: () => Promise<void>): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name);
        this.#ignore(step());
      }, pause),
    );
  }

  async #lookAt(paths: readonly string[]): Promise<void> {
    await inOrder(inParts(paths, batch), async (part) =>
      this.#queue.run(part, async () => {
        const { shown } = this.#landings;
        if (shown === undefined) return;
        const sightings = await Promise.all(part.map(async (path) => this.#sight(path)));
        await this.#api().sightFiles(shown.store, shown.landing.id, sightings);
      }),
    );
  }

  /** What is typed and not saved counts; where an editor cannot hold the bytes, the disk does. */
  async #sight(path: string): Promise<FileSighting> {
    const document = documentOf(this.#landings.fileUri(path));
    if (document?.isDirty !== true || !(await isFaithful(document))) return { path, where: 'disk' };
    return { path, where: 'editor', bytes: await bytesOf(document) };
  }

  #ignore(step: Promise<void>): void {
    step.catch(this.#onError);
  }
}

function isUndo(reason: TextDocumentChangeReason | undefined): boolean {
  return reason === TextDocumentChangeReason.Undo || reason === TextDocumentChangeReason.Redo;
}
