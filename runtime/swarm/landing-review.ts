import type {
  AcceptCommand,
  EditEnd,
  EditPlan,
  FileSighting,
  LandingCommand,
  LandingOutcome,
  LandingTarget,
  OpenFile,
} from '#protocol/landing-api.ts';
import type { LandingReviewEvent } from '#protocol/landing-events.ts';
import { withPartners } from '#protocol/landing-partners.ts';
import { isUndecided, type LandingFile, type LandingIntent } from '#protocol/projection-review.ts';
import { hash } from 'node:crypto';
import { LandingError } from './landing-error.ts';
import { isSameSide, mergeSides, sideOf } from './landing-merge.ts';
import { LandingSides, type LandingTargetState } from './landing-sides.ts';
import type { LandingParts } from './landing.ts';
import { ReviewAcceptance, type Permission } from './review-acceptance.ts';
import { ReviewContents } from './review-contents.ts';
import { ReviewEditing } from './review-editing.ts';
import { decisionName, hashesIn, isBusy, landingOf, proposed, type ReviewParts } from './review-parts.ts';
import { ReviewProposals, type Sighted } from './review-proposals.ts';
import { ReviewUndo } from './review-undo.ts';
import { WorkspaceFiles, type Content } from './workspace-files.ts';

/**
 * The review of what lands, file by file (ADR 6). Its state is in the journal; it is open while a host shows the run. All
 * steps run one after the other.
 */
export class LandingReview {
  readonly #parts: ReviewParts;
  readonly #run: string;
  readonly #acceptance: ReviewAcceptance;
  readonly #undo: ReviewUndo;
  readonly #editing: ReviewEditing;
  readonly #onError: (error: unknown) => void;
  #queue: Promise<unknown> = Promise.resolve();
  #unsubscribe: () => void = () => undefined;
  /** A refresh was asked for while an editor had a step under way. */
  #isBehind = false;

  /** `folder`: of the store, for contents that version control does not have. */
  constructor(
    { repository, log, fileSystem, workspace }: Omit<LandingParts, 'replaced'>,
    folder: string,
    onError: (error: unknown) => void,
  ) {
    const run = log.projection.options?.run ?? '';
    const sides = new LandingSides(repository, log.projection);
    const files = new WorkspaceFiles(fileSystem, workspace, run, undefined);
    const contents = new ReviewContents(fileSystem, folder, repository);
    const proposals = new ReviewProposals(sides, files, contents);
    this.#parts = { log, sides, files, contents, proposals, editing: new Set() };
    this.#run = run;
    this.#acceptance = new ReviewAcceptance(this.#parts);
    this.#undo = new ReviewUndo(this.#parts, this.#acceptance);
    this.#editing = new ReviewEditing(this.#parts, this.#acceptance, this.#undo);
    this.#onError = onError;
  }

  /** Settles what a kill has left, and offers what green brings, now and from here on. */
  async start(): Promise<void> {
    const { log, contents } = this.#parts;
    await this.#inTurn(async () => {
      await contents.retain(hashesIn(log.projection.review));
    });
    await this.#offer();
    this.#unsubscribe = log.subscribe((event) => {
      if (event.type !== 'verify.passed' && event.type !== 'run.ended') return;
      this.#offer().catch(this.#onError);
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#queue;
  }

  async content(name: string): Promise<Uint8Array> {
    return this.#parts.contents.bytes(name);
  }

  async accept(command: AcceptCommand): Promise<readonly LandingOutcome[]> {
    return this.#inTurn(async () => {
      const outcomes = await this.#acceptance.accept(command);
      await this.#offerNow();
      return outcomes;
    });
  }

  async discard(
    command: LandingCommand & { readonly files: readonly LandingTarget[] },
  ): Promise<readonly LandingOutcome[]> {
    return this.#inTurn(async () => {
      const outcomes = await this.#discard(command);
      await this.#offerNow();
      return outcomes;
    });
  }

  async beginEdit(command: LandingCommand, file: OpenFile, permission: Permission): Promise<EditPlan> {
    return this.#inTurn(async () => this.#editing.beginAccept(command, file, permission));
  }

  async beginUndo(decision: string, bytes: Uint8Array): Promise<EditPlan> {
    return this.#inTurn(async () => this.#editing.beginUndo(decision, bytes));
  }

  async endEdit(decision: string, end: EditEnd): Promise<void> {
    await this.#inTurn(async () => {
      await this.#editing.end(decision, end);
      if (this.#isBehind && this.#review.intents.size === 0) await this.#refreshNow();
      await this.#offerNow();
    });
  }

  async undo(decision: string): Promise<LandingOutcome> {
    return this.#inTurn(async () => {
      const outcome = await this.#undo.undo(decision);
      await this.#offerNow();
      return outcome;
    });
  }

  async editProposal(landing: string, path: string, bytes: Uint8Array): Promise<number> {
    return this.#inTurn(async () => {
      const file = this.#file(landing, path);
      if (!isUndecided(file)) throw new LandingError('decided', 'the file is decided', { landing, path });
      const { content, version } = file.proposal;
      if (content?.hash === hash('sha256', bytes, 'hex')) return version;
      const draft = await this.#parts.proposals.edited(path, file.proposal, bytes);
      await this.#parts.log.publish(proposed(landingOf(this.#review, landing), path, draft, 'edited'));
      return version + 1;
    });
  }

  async sight(landing: string, sightings: readonly FileSighting[]): Promise<void> {
    await this.#inTurn(async () => {
      for (const sighting of sightings) {
        const file = this.#file(landing, sighting.path);
        if (file !== undefined && !isBusy(this.#review, file.path))
          await this.#sight(landing, file, sighting);
      }
      await this.#offerNow();
    });
  }

  async markViewed(landing: string, { path, version }: LandingTarget, viewed: boolean): Promise<void> {
    await this.#inTurn(async () => {
      const file = this.#file(landing, path);
      if (!isUndecided(file) || file.proposal.version !== version || file.viewed === viewed) return;
      await this.#parts.log.publish({ type: 'landing.viewed', landing, path, version, viewed });
    });
  }

  async refresh(landing: string): Promise<void> {
    await this.#inTurn(async () => {
      landingOf(this.#review, landing);
      // What an editor is writing now was made for this green: it is recorded first.
      if (this.#review.intents.size > 0) this.#isBehind = true;
      else await this.#refreshNow();
      await this.#offerNow();
    });
  }

  async #refreshNow(): Promise<void> {
    this.#isBehind = false;
    const { target } = this;
    const current = this.#review.landing;
    if (current === undefined || target === undefined || target.snapshot.id === current.green) return;
    const { snapshot, verified } = target;
    await this.#parts.log.publish(
      { type: 'landing.refreshed', landing: current.id, green: snapshot.id, verified },
      ...(await this.#refreshed(current, target)),
    );
  }

  /** What may be reviewed now: green; without a verify command trunk's head, once the run has ended by itself. */
  get target(): LandingTargetState | undefined {
    const { target } = this.#parts.sides;
    if (target === undefined || target.verified) return target;
    return ['complete', 'partial', 'failed'].includes(this.#parts.log.projection.status) ? target : undefined;
  }

  get #review(): ReviewParts['log']['projection']['review'] {
    return this.#parts.log.projection.review;
  }

  #file(landing: string, path: string): LandingFile | undefined {
    return landingOf(this.#review, landing).files.get(path);
  }

  async #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(async () => {
      await this.#settleIntents();
      return step();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #offer(): Promise<void> {
    await this.#inTurn(async () => this.#offerNow());
  }

  async #offerNow(): Promise<void> {
    const { target } = this;
    // A step that an editor has not ended may still bring a file back.
    const isOpen = (this.#review.landing?.undecided ?? 0) > 0 || this.#review.intents.size > 0;
    if (target === undefined || isOpen) return;
    const id = `${this.#run}-${this.#review.offered + 1}`;
    const empty = { id, files: new Map<string, LandingFile>() };
    const events: LandingReviewEvent[] = [];
    let isWorthIt = false;
    const moved = { ...target, moves: this.#parts.sides.movesIn(target.snapshot) };
    for (const path of this.#pathsOf(target)) {
      const offered = await this.#fresh(empty, moved, path, 'offered', events.length);
      events.push(...offered.events);
      isWorthIt ||= offered.isOpen;
    }
    if (!isWorthIt) return;
    const { snapshot, verified } = target;
    await this.#parts.log.publish(
      { type: 'landing.offered', landing: id, green: snapshot.id, verified },
      ...events,
    );
  }

  /** Without what has landed in this version, and what the user has discarded in it. */
  #pathsOf({ snapshot }: LandingTargetState): readonly string[] {
    const { landedHashes } = this.#parts.log.projection;
    const { discarded } = this.#review;
    return this.#parts.sides.pathsOf(snapshot).filter((path) => {
      const now = snapshot.entry(path)?.hash ?? null;
      return landedHashes.get(path) !== now && discarded.get(path) !== now;
    });
  }

  async #fresh(
    landing: { readonly id: string; readonly files: ReadonlyMap<string, LandingFile> },
    { snapshot, moves }: LandingTargetState & { readonly moves: ReadonlyMap<string, string> },
    path: string,
    cause: 'offered' | 'refreshed',
    ahead: number,
  ): Promise<{ readonly events: readonly LandingReviewEvent[]; readonly isOpen: boolean }> {
    const { draft, isThere } = await this.#parts.proposals.fresh(snapshot, path);
    const movedFrom = moves.get(path);
    const whole = movedFrom === undefined ? draft : { ...draft, movedFrom };
    const proposal = proposed(landing, path, whole, cause);
    if (!isThere) return { events: [proposal], isOpen: true };
    const decision = decisionName(this.#review, ahead);
    const { trunk } = draft;
    const there = {
      type: 'landing.decided',
      landing: landing.id,
      decision,
      path,
      outcome: 'there',
      trunk,
    } as const;
    return { events: [proposal, there], isOpen: false };
  }

  /** Decided files stay decided; what is undecided follows green. */
  async #refreshed(
    landing: { readonly id: string; readonly files: ReadonlyMap<string, LandingFile> },
    target: LandingTargetState,
  ): Promise<readonly LandingReviewEvent[]> {
    const paths = new Set([...this.#pathsOf(target), ...landing.files.keys()]);
    const events: LandingReviewEvent[] = [];
    const moved = { ...target, moves: this.#parts.sides.movesIn(target.snapshot) };
    for (const path of paths) {
      const file = landing.files.get(path);
      const trunk = target.snapshot.entry(path) ?? null;
      if (file && (!isUndecided(file) || isSameSide(file.proposal.trunk, trunk))) continue;
      if (file?.proposal.edited === true) {
        const draft = await this.#parts.proposals.refreshed(target.snapshot, path, file.proposal);
        events.push(proposed(landing, path, draft, 'refreshed'));
      } else {
        events.push(...(await this.#fresh(landing, moved, path, 'refreshed', events.length)).events);
      }
    }
    return events;
  }

  async #discard({
    landing,
    group,
    files,
  }: LandingCommand & { readonly files: readonly LandingTarget[] }): Promise<readonly LandingOutcome[]> {
    const current = landingOf(this.#review, landing);
    const events: LandingReviewEvent[] = [];
    const outcomes = withPartners(current, files).map(({ path, version }): LandingOutcome => {
      const file = current.files.get(path);
      const isNewest = isUndecided(file) && file.proposal.version === version;
      if (!isNewest || isBusy(this.#review, path)) return { path, kind: 'outdated' };
      const decision = decisionName(this.#review, events.length);
      const { trunk } = file.proposal;
      events.push({ type: 'landing.decided', landing, decision, path, outcome: 'discarded', group, trunk });
      return { path, kind: 'done' };
    });
    await this.#parts.log.publish(...events);
    return outcomes;
  }

  async #sight(landing: string, file: LandingFile, sighting: FileSighting): Promise<void> {
    const { log, proposals } = this.#parts;
    const { path } = file;
    const isOnDisk = sighting.where === 'disk';
    const sighted = isOnDisk
      ? await proposals.look(path)
      : await this.#editing.inEditor(path, sighting.bytes);
    if (!isUndecided(file)) {
      await this.#sightDecided(path, sighted, isOnDisk);
      return;
    }
    const draft = await proposals.sighted(path, file.proposal, sighted);
    if (draft === undefined) return;
    await log.publish(proposed(landingOf(this.#review, landing), path, draft, 'file-changed'));
    if (draft.obstacle !== undefined || !isSameSide(draft.seen, draft.content)) return;
    const decision = decisionName(this.#review, 0);
    const { trunk } = draft;
    await log.publish({ type: 'landing.decided', landing, decision, path, outcome: 'there', trunk });
  }

  /** A file that holds again what it held before it was accepted is no longer accepted. */
  async #sightDecided(path: string, sighted: Sighted, isOnDisk: boolean): Promise<void> {
    const decision = this.#undo.acceptedAt(path);
    if (decision === undefined || sighted.kind === 'blocked') return;
    const seen = sideOf(sighted.content);
    const { before, after, unsaved } = decision;
    if (isSameSide(seen, after)) return;
    const isBack =
      isSameSide(seen, before) || (isOnDisk && unsaved !== undefined && isSameSide(seen, unsaved));
    if (isBack) await this.#undo.takeBack(decision, 'withdrawn', sighted.content);
  }

  /**
   * The file holds what was intended; or, where the user has edited it since, all that an acceptance would change: only its
   * decision keeps what it has replaced.
   */
  async #isMade({ step, before, after }: LandingIntent, seen: Content): Promise<boolean> {
    const side = sideOf(seen);
    if (step === 'undo' || isSameSide(side, after) || isSameSide(side, before))
      return isSameSide(side, after);
    const { contents } = this.#parts;
    const made = mergeSides(await contents.read(before), seen, await contents.read(after));
    return made.kind === 'clean' && isSameSide(sideOf(made.content), side);
  }

  /** Steps that were begun and have no end: the file tells whether they were made. */
  async #settleIntents(): Promise<void> {
    const { editing } = this.#parts;
    const left = [...this.#review.intents.values()].filter(({ decision }) => !editing.has(decision));
    for (const intent of left) await this.#settleIntent(intent);
  }

  async #settleIntent(intent: LandingIntent): Promise<void> {
    const { log, proposals } = this.#parts;
    const { landing, decision, group, path, before, after, step } = intent;
    const sighted = await proposals.look(path);
    const base = { type: 'landing.decided', landing, decision, path } as const;
    if (sighted.kind === 'blocked' || !(await this.#isMade(intent, sighted.content)))
      await log.publish({ ...base, outcome: 'given-up' });
    else if (step === 'undo') await this.#undo.takeBack(this.#undo.find(decision), 'undone', sighted.content);
    else {
      const trunk = this.#review.landing?.files.get(path)?.proposal.trunk ?? null;
      await log.publish({ ...base, outcome: 'accepted', group, before, after, trunk });
    }
  }
}
