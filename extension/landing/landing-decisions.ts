import type { CancellationToken } from 'vscode';
import type { LandingApi, LandingOutcome, LandingTarget } from '#protocol/landing-api.ts';
import { isUndecided, type LandingDecision, type LandingFile } from '#protocol/projection-review.ts';
import type { DecisionGroups } from './decision-groups.ts';
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

/** A command of the user: what it decides is undone together. */
export interface Command {
  readonly shown: ShownLanding;
  readonly group: string;
}

export interface Progress {
  readonly token?: CancellationToken;
  /** Files that are done. */
  readonly told?: (count: number) => void;
}

/** Takes a step on so many files, and shows how far it is. */
export type WithProgress = (
  count: number,
  step: (progress: Progress) => Promise<readonly HostOutcome[]>,
) => Promise<readonly HostOutcome[]>;

/** Carries decisions out: closed files in the runtime, open ones in their editors; all of one command in one group. */
export class LandingDecisions {
  readonly #landings: ShownLandings;
  readonly #api: () => LandingApi;
  readonly #edits: OpenFileEdits;
  readonly #proposals: ProposalEdits;
  readonly #queue: FileQueue;
  readonly #groups: DecisionGroups;

  constructor(parts: {
    readonly landings: ShownLandings;
    readonly api: () => LandingApi;
    readonly edits: OpenFileEdits;
    readonly proposals: ProposalEdits;
    readonly queue: FileQueue;
    readonly groups: DecisionGroups;
  }) {
    this.#landings = parts.landings;
    this.#api = parts.api;
    this.#edits = parts.edits;
    this.#proposals = parts.proposals;
    this.#queue = parts.queue;
    this.#groups = parts.groups;
  }

  /** A command that is given now, whatever it asks before it decides. */
  begin(shown: ShownLanding): Command {
    return { shown, group: this.#groups.begin(shown.review) };
  }

  async accept(
    { shown, group }: Command,
    files: readonly LandingTarget[],
    allowed: Allowed,
    progress: Progress = {},
  ): Promise<readonly HostOutcome[]> {
    const all = goingFirst(shown.landing, withPartners(shown.landing, files));
    const step = async (seen: readonly LandingTarget[]): Promise<readonly HostOutcome[]> => {
      // What the user has typed last is what they accept.
      const part = await this.#proposals.flush(shown.landing.id, seen);
      const closed: LandingTarget[] = [];
      const outcomes: HostOutcome[] = [];
      await inOrder(part, async (target) => {
        const outcome = await this.#acceptShown(shown, group, target, allowed);
        if (outcome === 'closed') closed.push(target);
        else outcomes.push(outcome);
      });
      if (closed.length === 0) return outcomes;
      const command = { landing: shown.landing.id, group, files: closed, ...allowed };
      return [...outcomes, ...(await this.#api().acceptFiles(shown.store, command))];
    };
    return this.#groups.run(async () => this.#inBatches(all, progress, step));
  }

  async discard(
    { shown, group }: Command,
    files: readonly LandingTarget[],
    progress: Progress = {},
  ): Promise<readonly HostOutcome[]> {
    const { store, landing } = shown;
    const step = async (part: readonly LandingTarget[]): Promise<readonly HostOutcome[]> => {
      const newest = await this.#proposals.flush(landing.id, part);
      return this.#api().discardFiles(store, { landing: landing.id, group, files: newest });
    };
    return this.#groups.run(async () => this.#inBatches(files, progress, step));
  }

  /** Undoes what one command decided, once `agreed` to; by default the command that was given last. */
  async undo(
    { store }: ShownLanding,
    agreed: (decisions: readonly LandingDecision[]) => Promise<boolean>,
    within: WithProgress,
    group?: string,
  ): Promise<readonly HostOutcome[]> {
    return this.#groups.undo(
      () => this.#landings.reviewOf(store),
      async (decisions) => {
        if (decisions.length === 0 || !(await agreed(decisions))) return [];
        return within(decisions.length, async (progress) => this.#undoAll(store, decisions, progress));
      },
      group,
    );
  }

  /** In the opposite order: what made room comes back last. */
  async #undoAll(
    store: string,
    decisions: readonly LandingDecision[],
    progress: Progress,
  ): Promise<readonly HostOutcome[]> {
    const named = new Map(decisions.map((one) => [one.path, one]));
    const targets = [...named.keys()].toReversed().map((path) => ({ path, version: 0 }));
    return this.#inBatches(targets, progress, async (part) =>
      inOrder(
        part.flatMap(({ path }) => named.get(path) ?? []),
        async (decision) => this.#undoOne(store, decision),
      ),
    );
  }

  async #undoOne(store: string, decision: LandingDecision): Promise<HostOutcome> {
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
