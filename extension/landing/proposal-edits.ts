import type { Disposable, TextDocument } from 'vscode';
import type { LandingTarget } from '#protocol/landing-api.ts';
import { isUndecided } from '#protocol/projection-review.ts';
import { bytesOf, documentOf } from './document-bytes.ts';
import { inOrder } from './in-order.ts';
import type { ProposalFiles } from './landing-files.ts';
import { OwnVersions } from './own-versions.ts';
import type { ShownLandings } from './shown-landing.ts';

/** Milliseconds after the last change of a proposal in which the next may come: typing is kept in its pauses. */
const typingPause = 400;

/** Keeps what the user edits in proposals: durable, and saved, so that closing one asks nothing. */
export class ProposalEdits implements Disposable {
  readonly #landings: ShownLandings;
  readonly #files: ProposalFiles;
  readonly #onError: (error: unknown) => void;
  readonly #own = new OwnVersions();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** What is being kept, by document; one after the other. */
  readonly #keeping = new Map<string, Promise<void>>();

  constructor(landings: ShownLandings, files: ProposalFiles, onError: (error: unknown) => void) {
    this.#landings = landings;
    this.#files = files;
    this.#onError = onError;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  keepLater(document: TextDocument): void {
    const name = document.uri.toString();
    clearTimeout(this.#timers.get(name));
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#keepNow(document).catch(this.#onError);
      }, typingPause),
    );
  }

  /** Before these files are decided: what is typed is kept, and the versions that it became are the ones to decide. */
  async flush(landing: string, targets: readonly LandingTarget[]): Promise<readonly LandingTarget[]> {
    await inOrder(targets, async ({ path }) => {
      const document = documentOf(this.#landings.proposalUri(landing, path));
      if (document !== undefined) await this.#keepNow(document);
    });
    return targets.map((target) => this.#own.newest(landing, target));
  }

  async #keepNow(document: TextDocument): Promise<void> {
    const name = document.uri.toString();
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    const before = this.#keeping.get(name) ?? Promise.resolve();
    const turn = before.then(async () => this.#keep(document));
    const done = turn.catch(() => undefined);
    this.#keeping.set(name, done);
    try {
      await turn;
    } finally {
      if (this.#keeping.get(name) === done) this.#keeping.delete(name);
    }
  }

  async #keep(document: TextDocument): Promise<void> {
    // A document that was read again has changed as well, and is clean.
    if (document.isClosed || !document.isDirty) return;
    const { uri } = document;
    const path = this.#landings.pathOf(uri) ?? '';
    const file = this.#landings.file(path);
    // What is typed after the decision stays in its editor: it can be kept once the decision is taken back.
    if (this.#landings.shown?.landing.id !== uri.authority || !isUndecided(file)) return;
    const { version } = file.proposal;
    const bytes = await bytesOf(document);
    const written = await this.#files.keep(uri, bytes, () => document.save());
    this.#own.wrote(uri.authority, path, version, written);
  }
}
