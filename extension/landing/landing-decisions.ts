import { randomUUID } from 'node:crypto';
import type { CancellationToken } from 'vscode';
import type { LandingApi, LandingOutcome, LandingTarget } from '#protocol/landing-api.ts';
import { isUndecided, type LandingDecision, type LandingFile } from '#protocol/projection-review.ts';
import { shownDocument } from './document-bytes.ts';
import type { FileQueue } from './file-queue.ts';
import { goingFirst, withPartners } from '#protocol/landing-partners.ts';
import { inOrder, inParts } from './in-order.ts';
import type { HostOutcome } from './landing-words.ts';
import type { OpenFileEdits } from './open-file-edits.ts';
import type { ProposalEdits } from './proposal-edits.ts';
import type { ShownLanding, ShownLandings } from './shown-landing.ts';

/** Files that are decided between two looks at the cancel button. */
const batch = 50;

/** What the user has allowed, by path. */
export interface Allowed {
  readonly approve: readonly string[];
  readonly replace: readonly string[];
}

export interface Progress {
  readonly token?: CancellationToken;
  /** Files that are done. */
  readonly told?: (count: number) => void;
}

/** Carries decisions out: closed files in the runtime, open ones in their editors; all of one command in one group. */
export class LandingDecisions {
  readonly #landings: ShownLandings;
  readonly #api: () => LandingApi;
  readonly #edits: OpenFileEdits;
  readonly #proposals: ProposalEdits;
  readonly #queue: FileQueue;

  constructor(parts: {
    readonly landings: ShownLandings;
    readonly api: () => LandingApi;
    readonly edits: OpenFileEdits;
    readonly proposals: ProposalEdits;
    readonly queue: FileQueue;
  }) {
    this.#landings = parts.landings;
    this.#api = parts.api;
    this.#edits = parts.edits;
    this.#proposals = parts.proposals;
    this.#queue = parts.queue;
  }

  async accept(
    shown: ShownLanding,
    files: readonly LandingTarget[],
    allowed: Allowed,
    progress: Progress = {},
  ): Promise<readonly HostOutcome[]> {
    const group = randomUUID();
    const all = goingFirst(shown.landing, withPartners(shown.landing, files));
    return this.#inBatches(all, progress, async (seen) => {
      // What the user has typed last is what they accept.
      const part = await this.#proposals.flush(shown.landing.id, seen);
      const closed: LandingTarget[] = [];
      const outcomes: HostOutcome[] = [];
      await inOrder(part, async (target) => {
        const step = await this.#acceptShown(shown, group, target, allowed);
        if (step === 'closed') closed.push(target);
        else outcomes.push(step);
      });
      if (closed.length === 0) return outcomes;
      const command = { landing: shown.landing.id, group, files: closed, ...allowed };
      return [...outcomes, ...(await this.#api().acceptFiles(shown.store, command))];
    });
  }

  async discard(
    shown: ShownLanding,
    files: readonly LandingTarget[],
    progress: Progress = {},
  ): Promise<readonly HostOutcome[]> {
    const command = { landing: shown.landing.id, group: randomUUID() };
    return this.#inBatches(files, progress, async (part) =>
      this.#api().discardFiles(shown.store, {
        ...command,
        files: await this.#proposals.flush(shown.landing.id, part),
      }),
    );
  }

  /** The newest decisions that one command made; none when there is nothing to undo. */
  lastGroup({ review }: ShownLanding): readonly LandingDecision[] {
    const group = review.decisions.at(-1)?.group;
    return review.decisions.filter((one) => one.group === group);
  }

  /** In the opposite order: what made room comes back last. */
  async undo(shown: ShownLanding, progress: Progress = {}): Promise<readonly HostOutcome[]> {
    const decisions = new Map(this.lastGroup(shown).map((one) => [one.path, one]));
    const targets = [...decisions.keys()].toReversed().map((path) => ({ path, version: 0 }));
    return this.#inBatches(targets, progress, async (part) =>
      inOrder(
        part.flatMap(({ path }) => decisions.get(path) ?? []),
        async (decision) => this.#undoOne(shown, decision),
      ),
    );
  }

  async #undoOne({ store }: ShownLanding, decision: LandingDecision): Promise<HostOutcome> {
    const { path, decision: name } = decision;
    const document = shownDocument(this.#landings.fileUri(path));
    const isEdit = decision.kind === 'accepted' && hasText(decision.before) && hasText(decision.after);
    if (document === undefined || !isEdit) return this.#api().undoDecision(store, name);
    const outcome = await this.#edits.make(store, path, document, 0, async (bytes) =>
      this.#api().beginUndo(store, name, bytes),
    );
    // Nothing is lost where the file is as the editor shows it.
    if (outcome.kind !== 'unfaithful' || document.isDirty) return outcome;
    return this.#api().undoDecision(store, name);
  }

  /** `closed`: no editor shows the file, or the disk is what is to be changed. */
  async #acceptShown(
    { store, landing }: ShownLanding,
    group: string,
    target: LandingTarget,
    allowed: Allowed,
  ): Promise<HostOutcome | 'closed'> {
    const { path, version } = target;
    const document = shownDocument(this.#landings.fileUri(path));
    const file = this.#landings.file(path);
    if (document === undefined || !isUndecided(file)) return 'closed';
    if (!isTextEdit(file)) return document.isDirty ? this.#refuse(file) : 'closed';
    const permission = { approved: allowed.approve.includes(path), replace: allowed.replace.includes(path) };
    return this.#edits.make(store, path, document, version, async (bytes, newest) =>
      this.#api().beginEdit(store, {
        landing: landing.id,
        group,
        file: { path, version: newest, bytes },
        ...permission,
      }),
    );
  }

  /** What is typed and not saved cannot be merged with a deletion, a link or a binary file. */
  #refuse({ path, proposal }: LandingFile): LandingOutcome {
    if (proposal.content === null) return { path, kind: 'obstacle', obstacle: 'deleted-by-build' };
    if (proposal.content.mode === 'symlink') return { path, kind: 'obstacle', obstacle: 'link' };
    return { path, kind: 'obstacle', obstacle: 'binary' };
  }

  async #inBatches(
    files: readonly LandingTarget[],
    { token, told }: Progress,
    step: (part: readonly LandingTarget[]) => Promise<readonly HostOutcome[]>,
  ): Promise<readonly HostOutcome[]> {
    const done = await inOrder(
      inParts(files, batch),
      async (part) => {
        const paths = part.map(({ path }) => path);
        const outcomes = await this.#queue.run(paths, async () => step(part));
        told?.(part.length);
        return outcomes;
      },
      () => token?.isCancellationRequested !== true,
    );
    return done.flat();
  }
}

function hasText(side: { readonly mode: string } | null): boolean {
  return side !== null && side.mode !== 'symlink';
}

function isTextEdit({ proposal }: LandingFile): boolean {
  const { kind, content, seen } = proposal;
  return kind === 'text' && content !== null && seen !== null;
}
