import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { Disposable, EventEmitter, Uri, workspace, type Event } from 'vscode';
import type { LandingFile, LandingReview, ReviewState } from '#protocol/projection-review.ts';
import type { CurrentRun } from '../current-run.ts';
import type { RunView } from '../run-view.ts';
import { baseScheme, emptyQuery, landingScheme, rowQuery } from './landing-names.ts';

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

/** The newest landing of the run that this window shows, unless another process owns it; and the addresses of its files. */
export class ShownLandings implements Disposable {
  readonly #run: CurrentRun;
  readonly #changed = new EventEmitter<void>();
  readonly #subscription: Disposable;
  #listener: Disposable | undefined;
  /** The window's folders by their paths without links; undefined until they are looked up, and nothing is shown so long. */
  #folders: ReadonlyMap<string, Uri> | undefined;
  #looks = 0;

  constructor(run: CurrentRun) {
    this.#run = run;
    this.#subscription = Disposable.from(
      run.onDidChange((view) => {
        this.#follow(view);
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        void this.#findFolders();
      }),
    );
    this.#follow(run.view);
    void this.#findFolders();
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
    if (view === undefined || view.mode === 'following' || this.#folders === undefined) return undefined;
    const { review, green, head, options } = view.state;
    const { landing } = review;
    if (landing === undefined) return undefined;
    const target = options?.verify === undefined && !landing.verified ? head?.snapshot : green?.snapshot;
    const isStale = target !== undefined && target !== landing.green;
    return { store: view.store, landing, review, isStale };
  }

  /** What is decided of the run in the store now; undefined when it is no longer shown. */
  reviewOf(store: string): ReviewState | undefined {
    const { shown } = this;
    return shown?.store === store ? shown.review : undefined;
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
    if (this.#isKnown) return undefined;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        subscription.dispose();
        resolve(this.shown?.landing.id === id ? this.shown : undefined);
      };
      const timer = setTimeout(done, patience);
      const subscription = this.onDidChange(() => {
        if (this.#isKnown) done();
      });
    });
  }

  /** What is shown, or not, will not change by itself. */
  get #isKnown(): boolean {
    return this.#run.view !== undefined && this.#folders !== undefined;
  }

  /** Where the window shows the workspace of the run: as the user has opened it, also by a link. */
  get root(): Uri {
    const path = this.#run.view?.state.options?.workspace ?? '';
    return this.#folders?.get(path) ?? Uri.file(path);
  }

  fileUri(path: string): Uri {
    return Uri.joinPath(this.root, path);
  }

  /** Of a row in source control, whose marks are not those of the file itself. */
  rowUri(path: string): Uri {
    return this.fileUri(path).with({ query: rowQuery });
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

  async #findFolders(): Promise<void> {
    this.#looks += 1;
    const look = this.#looks;
    const folders = workspace.workspaceFolders ?? [];
    // The first of those that are one folder counts.
    const found = await Promise.all(
      folders.map(async ({ uri }) => [await realPath(uri.fsPath), uri] as const).toReversed(),
    );
    // A later look knows better.
    if (look !== this.#looks) return;
    this.#folders = new Map(found);
    this.#changed.fire();
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
