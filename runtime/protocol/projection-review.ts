import type { SnapshotId } from './change-sets.ts';
import type { RunEventBody } from './events.ts';
import { withApprovalCode } from './landing-approvals.ts';
import type { LandingId, LandingReviewEvent, Proposal, Side } from './landing-events.ts';
import { mustHold, ProjectionError } from './projection-error.ts';

/** A file of a landing. `there`: what was proposed stood there already. */
export interface LandingFile {
  readonly path: string;
  readonly state: 'pending' | 'conflict' | 'accepted' | 'discarded' | 'there';
  readonly proposal: Proposal;
  /** The user has ticked this version. */
  readonly viewed: boolean;
}

/** The file waits for the user. */
export function isUndecided(file: LandingFile | undefined): file is LandingFile {
  return file?.state === 'pending' || file?.state === 'conflict';
}

/** What green brings to the user's workspace, to be decided file by file. Live: it changes with later events. */
export interface LandingReview {
  readonly id: LandingId;
  readonly green: SnapshotId;
  readonly verified: boolean;
  /** By path, in the order in which they were proposed. */
  readonly files: ReadonlyMap<string, LandingFile>;
  /** Files that wait for the user: those pending and those in conflict. */
  readonly undecided: number;
}

/** A decision that can be undone. */
export type LandingDecision = {
  readonly decision: string;
  readonly landing: LandingId;
  readonly group: string;
  readonly path: string;
  readonly trunk: Side;
  /** What was on record for the path before: a hash, null for a deletion, or nothing. */
  readonly recorded?: string | null;
} & (
  | { readonly kind: 'accepted'; readonly before: Side; readonly after: Side; readonly unsaved?: Side }
  | { readonly kind: 'discarded' }
);

/** A step on the user's file that was begun: whether it was done shows in the file. */
export type LandingIntent = Extract<LandingReviewEvent, { type: 'landing.intended' }>;

/** All that is known of reviews. Live: it changes with later events. */
export interface ReviewState {
  /** The newest landing that was offered; decided when nothing of it is undecided. */
  readonly landing: LandingReview | undefined;
  /** What can be undone, oldest first; over all landings. */
  readonly decisions: readonly LandingDecision[];
  /** Steps on the user's files that were begun, by the name of their decision. */
  readonly intents: ReadonlyMap<string, LandingIntent>;
  /** The hash on trunk of what the user has discarded, by path; null where they keep what is deleted there. */
  readonly discarded: ReadonlyMap<string, string | null>;
  /** Landings that were offered, and decisions that were begun, in the whole run: names are made of them. */
  readonly offered: number;
  readonly decided: number;
}

/** The review as JSON can carry it. */
export interface ReviewRecord {
  readonly landing:
    | (Omit<LandingReview, 'files' | 'undecided'> & { readonly files: readonly LandingFile[] })
    | undefined;
  readonly decisions: readonly LandingDecision[];
  readonly intents: readonly LandingIntent[];
  readonly discarded: readonly (readonly [path: string, hash: string | null])[];
  readonly offered: number;
  readonly decided: number;
}

interface NamedStep {
  readonly landing: LandingId;
  readonly path: string;
  readonly decision: string;
}

type Decided = Extract<RunEventBody, { type: 'landing.decided' }>;

class ReviewEntry implements LandingReview {
  readonly id: LandingId;
  green: SnapshotId;
  verified: boolean;
  readonly files: Map<string, LandingFile> = new Map();

  constructor(id: LandingId, green: SnapshotId, verified: boolean) {
    this.id = id;
    this.green = green;
    this.verified = verified;
  }

  get undecided(): number {
    let count = 0;
    for (const file of this.files.values()) if (isUndecided(file)) count += 1;
    return count;
  }
}

/** Folds landings that are reviewed. What has landed by any way is in `hashes`, which it shares with landings of a whole snapshot. */
export class ReviewProjection implements ReviewState {
  readonly #hashes: Map<string, string | null>;
  landing: ReviewEntry | undefined;
  readonly decisions: LandingDecision[] = [];
  readonly intents: Map<string, LandingIntent> = new Map();
  readonly discarded: Map<string, string | null> = new Map();
  offered = 0;
  decided = 0;

  constructor(hashes: Map<string, string | null>) {
    this.#hashes = hashes;
  }

  snapshot(): ReviewRecord {
    const { landing, decisions, intents, discarded, offered, decided } = this;
    return {
      landing: landing && {
        id: landing.id,
        green: landing.green,
        verified: landing.verified,
        files: [...landing.files.values()],
      },
      decisions: [...decisions],
      intents: [...intents.values()],
      discarded: [...discarded],
      offered,
      decided,
    };
  }

  /** Before any landing. */
  restore({ landing, decisions, intents, discarded, offered, decided }: ReviewRecord): void {
    if (landing) {
      this.landing = new ReviewEntry(landing.id, landing.green, landing.verified);
      for (const file of landing.files) {
        this.landing.files.set(file.path, { ...file, proposal: withApprovalCode(file.proposal) });
      }
    }
    this.decisions.push(...decisions);
    for (const intent of intents) this.intents.set(intent.decision, intent);
    for (const [path, hash] of discarded) this.discarded.set(path, hash);
    this.offered = offered;
    this.decided = decided;
  }

  apply(event: LandingReviewEvent): void {
    switch (event.type) {
      case 'landing.offered':
        mustHold(
          (this.landing?.undecided ?? 0) === 0,
          'a landing is offered once the one before is decided',
          {
            landing: event.landing,
          },
        );
        mustHold(this.landing?.id !== event.landing, 'a landing is offered once', { landing: event.landing });
        this.landing = new ReviewEntry(event.landing, event.green, event.verified);
        this.offered += 1;
        break;
      case 'landing.refreshed': {
        const { green, verified } = event;
        Object.assign(this.#landing(event), { green, verified });
        break;
      }
      case 'landing.proposed':
        this.#propose(event);
        break;
      case 'landing.viewed': {
        const file = this.#undecided(event);
        mustHold(file.proposal.version === event.version, 'another version is proposed', {
          path: event.path,
        });
        this.#landing(event).files.set(event.path, { ...file, viewed: event.viewed });
        break;
      }
      case 'landing.intended':
        this.#intend(event);
        break;
      case 'landing.decided':
        this.#decide(event);
        break;
      default:
        refuse(event);
    }
  }

  #propose({ landing, path, proposal }: Extract<LandingReviewEvent, { type: 'landing.proposed' }>): void {
    const { files } = this.#landing({ landing });
    const before = files.get(path);
    mustHold(proposal.version === (before?.proposal.version ?? 0) + 1, 'versions rise one by one', {
      landing,
      path,
    });
    const isOpen = before === undefined || isUndecided(before);
    mustHold(isOpen, 'what is decided is not proposed again', { landing, path });
    files.set(path, {
      path,
      proposal: withApprovalCode(proposal),
      state: proposal.obstacle === undefined ? 'pending' : 'conflict',
      viewed: before?.viewed === true && before.proposal.content?.hash === proposal.content?.hash,
    });
  }

  #intend(intent: LandingIntent): void {
    const { decision, path, landing } = intent;
    this.#mustBeIdle(intent);
    if (intent.step === 'accept') {
      this.#undecided(intent);
      this.#mustBeNew(intent);
      this.decided += 1;
    } else {
      mustHold(this.#newestOf(intent)?.kind === 'accepted', 'only what was accepted is undone in a file', {
        landing,
        path,
      });
    }
    this.intents.set(decision, intent);
  }

  #decide(event: Decided): void {
    const { decision, path, landing } = event;
    switch (event.outcome) {
      case 'accepted': {
        const intent = this.intents.get(decision);
        mustHold(
          intent?.step === 'accept' && intent.path === path && intent.landing === landing,
          'no such step is under way',
          { landing, path },
        );
        this.#close(event, 'accepted');
        this.#push(event);
        break;
      }
      case 'discarded': {
        const { group, trunk } = event;
        this.#mustBeIdle(event);
        this.#mustBeNew(event);
        this.#close(event, 'discarded');
        this.decided += 1;
        this.decisions.push({ kind: 'discarded', decision, landing, group, path, trunk });
        this.discarded.set(path, trunk?.hash ?? null);
        break;
      }
      case 'there':
        this.#mustBeIdle(event);
        this.#mustBeNew(event);
        this.#close(event, 'there');
        this.decided += 1;
        this.#hashes.set(path, event.trunk?.hash ?? null);
        break;
      case 'undone':
      case 'withdrawn':
        this.#takeBack(event);
        break;
      case 'given-up':
        mustHold(this.intents.get(decision)?.path === path, 'no such step is under way', { landing, path });
        this.intents.delete(decision);
        break;
      default:
        event satisfies never;
    }
  }

  #close(
    event: { readonly landing: LandingId; readonly path: string; readonly decision: string },
    state: 'accepted' | 'discarded' | 'there',
  ): void {
    const file = this.#undecided(event);
    this.intents.delete(event.decision);
    this.#landing(event).files.set(event.path, { ...file, state });
  }

  #push(event: Extract<Decided, { outcome: 'accepted' }>): void {
    const { decision, landing, group, path, before, after, unsaved, trunk } = event;
    const recorded = this.#hashes.get(path);
    this.decisions.push({
      kind: 'accepted',
      decision,
      landing,
      group,
      path,
      before,
      after,
      trunk,
      ...(unsaved === undefined ? {} : { unsaved }),
      ...(recorded === undefined ? {} : { recorded }),
    });
    this.#hashes.set(path, trunk?.hash ?? null);
  }

  #takeBack({ decision, path, landing }: Decided): void {
    const taken = this.#newestOf({ decision, path, landing });
    mustHold(taken !== undefined, 'there is no such decision that is the newest of its file', {
      landing,
      path,
    });
    const isOther = [...this.intents.values()].some((one) => one.path === path && one.decision !== decision);
    mustHold(!isOther, 'one step after the other is taken on a file', { landing, path });
    const index = this.decisions.indexOf(taken);
    this.decisions.splice(index, 1);
    this.intents.delete(decision);
    if (taken.kind === 'discarded') this.#keepDiscarded(path);
    else if (taken.recorded === undefined) this.#hashes.delete(path);
    else this.#hashes.set(path, taken.recorded);
    const file = this.landing?.id === landing ? this.landing.files.get(path) : undefined;
    if (file)
      this.landing?.files.set(path, {
        ...file,
        state: file.proposal.obstacle === undefined ? 'pending' : 'conflict',
      });
  }

  /** What an earlier landing's decision says of the path, if there is one. */
  #keepDiscarded(path: string): void {
    const before = this.decisions.findLast((one) => one.path === path && one.kind === 'discarded');
    if (before === undefined) this.discarded.delete(path);
    else this.discarded.set(path, before.trunk?.hash ?? null);
  }

  /** Only the newest decision on a file is taken back. */
  #newestOf({ decision, path, landing }: NamedStep): LandingDecision | undefined {
    const newest = this.decisions.findLast((one) => one.path === path);
    return newest?.decision === decision && newest.landing === landing ? newest : undefined;
  }

  #mustBeIdle({ path, landing }: Pick<NamedStep, 'landing' | 'path'>): void {
    const isBusy = [...this.intents.values()].some((one) => one.path === path);
    mustHold(!isBusy, 'one step after the other is taken on a file', { landing, path });
  }

  #mustBeNew({ decision, path, landing }: NamedStep): void {
    const isKnown = this.intents.has(decision) || this.decisions.some((one) => one.decision === decision);
    mustHold(!isKnown, 'a decision has a name of its own', { landing, path });
  }

  #landing({ landing }: { readonly landing: LandingId }): ReviewEntry {
    mustHold(this.landing?.id === landing, 'no such landing is under review', { landing });
    return this.landing;
  }

  #undecided(event: { readonly landing: LandingId; readonly path: string }): LandingFile {
    const file = this.#landing(event).files.get(event.path);
    mustHold(isUndecided(file), 'the landing has no such file that is undecided', {
      landing: event.landing,
      path: event.path,
    });
    return file;
  }
}

/** A journal of a newer version holds types that this one does not know. */
function refuse(event: never): never {
  const { type } = event as { type: string };
  throw new ProjectionError('unknown-event', `the event type ${type} is not known`, { type });
}
