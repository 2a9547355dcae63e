import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { EventEmitter, Uri, workspace, type Disposable, type Event } from 'vscode';
import type { LandingFile, LandingReview, ReviewState } from '#protocol/projection-review.ts';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';
import { baseScheme, emptyQuery, landingScheme } from './landing-names.ts';

/** A landing of a run whose store this window's runtime owns. */
export interface ShownLanding {
  readonly store: string;
  readonly landing: LandingReview;
  readonly review: ReviewState;
  /** Green has moved on since it was offered. */
  readonly isStale: boolean;
}

/** Milliseconds that a document of a landing waits for its run to be shown, after a reload. */
const patience = 15_000;

export function isUndecided(file: LandingFile | undefined): file is LandingFile {
  return file?.state === 'pending' || file?.state === 'conflict';
}

/** The newest landing of the run that this window shows, unless another process owns it; and the addresses of its files. */
export class ShownLandings implements Disposable {
  readonly #run: CurrentRun;
  readonly #changed = new EventEmitter<void>();
  readonly #subscription: Disposable;
  #listener: Disposable | undefined;
  #root: { readonly workspace: string; readonly uri: Uri } | undefined;

  constructor(run: CurrentRun) {
    this.#run = run;
    this.#subscription = run.onDidChange((view) => {
      this.#follow(view);
    });
    this.#follow(run.view);
  }

  /** Something of the landing may be another now. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get view(): RunView | undefined {
    return this.#run.view;
  }

  get shown(): ShownLanding | undefined {
    const { view } = this.#run;
    if (view === undefined || view.mode === 'following') return undefined;
    const { review, green, head, options } = view.state;
    const { landing } = review;
    if (landing === undefined) return undefined;
    const target = options?.verify === undefined && !landing.verified ? head?.snapshot : green?.snapshot;
    const isStale = target !== undefined && target !== landing.green;
    return { store: view.store, landing, review, isStale };
  }

  /** The landing while something of it is undecided. */
  get pending(): ShownLanding | undefined {
    const { shown } = this;
    return shown !== undefined && shown.landing.undecided > 0 ? shown : undefined;
  }

  /** Resolves once the landing is shown; with undefined when it is not in time. */
  async named(id: string): Promise<ShownLanding | undefined> {
    if (this.shown?.landing.id === id) return this.shown;
    // Another one is shown, and it will not change.
    if (this.#run.view !== undefined) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        subscription.dispose();
        resolve(this.shown?.landing.id === id ? this.shown : undefined);
      };
      const timer = setTimeout(done, patience);
      const subscription = this.onDidChange(() => {
        if (this.shown !== undefined) done();
      });
    });
  }

  /** Where the window shows the workspace of the run: as the user has opened it, also by a link. */
  get root(): Uri {
    const path = this.#run.view?.state.options?.workspace ?? '';
    if (this.#root?.workspace !== path) this.#root = { workspace: path, uri: folderOf(path) };
    return this.#root.uri;
  }

  fileUri(path: string): Uri {
    return Uri.joinPath(this.root, path);
  }

  proposalUri(id: string, path: string): Uri {
    return this.fileUri(path).with({ scheme: landingScheme, authority: id });
  }

  /** What the user had before the agents' change. */
  baseUri(id: string, path: string): Uri {
    return this.fileUri(path).with({ scheme: baseScheme, authority: id });
  }

  emptyUri(id: string, path: string): Uri {
    return this.baseUri(id, path).with({ query: emptyQuery });
  }

  /** The path in the workspace of the run that an address names, of a file or of a document of a landing. */
  pathOf(uri: Uri): string | undefined {
    if (![this.root.scheme, landingScheme, baseScheme].includes(uri.scheme)) return undefined;
    const inside = relative(this.root.fsPath, Uri.file(uri.path).fsPath);
    if (inside === '' || inside.startsWith('..')) return undefined;
    return inside.split(sep).join('/');
  }

  file(path: string): LandingFile | undefined {
    return this.shown?.landing.files.get(path);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#listener?.dispose();
    this.#changed.dispose();
  }

  #follow(view: RunView | undefined): void {
    this.#listener?.dispose();
    this.#listener = view?.onDidChange((events) => {
      const matters = events.length === 0 || events.some(({ type }) => /^(landing|verify|run)\./u.test(type));
      if (matters) this.#changed.fire();
    });
    this.#changed.fire();
  }
}

function folderOf(path: string): Uri {
  const folder = workspace.workspaceFolders?.find(({ uri }) => realPath(uri.fsPath) === path);
  return folder?.uri ?? Uri.file(path);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(path);
  }
}
