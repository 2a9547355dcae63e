import type { SnapshotId } from './change-sets.ts';
import type { LandedFile, RunEventBody } from './events.ts';
import type { LandingReviewEvent } from './landing-events.ts';
import { mustHold } from './projection-error.ts';
import { ReviewProjection, type ReviewRecord } from './projection-review.ts';

/** The newest landing. Live: it changes with later events. */
export interface Landing {
  readonly snapshot: SnapshotId;
  readonly verified: boolean;
  /** How many paths it has to look at. */
  readonly paths: number;
  /** By path, in order. */
  readonly files: ReadonlyMap<string, LandedFile>;
  readonly landed: number;
  readonly waiting: number;
  readonly ended: boolean;
}

type LandingEvent = Extract<RunEventBody, { type: `landing.${string}` }>;
type WholeEvent = Exclude<LandingEvent, LandingReviewEvent>;

interface LandingEntry {
  readonly snapshot: SnapshotId;
  verified: boolean;
  paths: number;
  readonly files: Map<string, LandedFile>;
  landed: number;
  waiting: number;
  ended: boolean;
}

/** Landings as JSON can carry them. */
export interface LandingRecord {
  readonly newest: (Omit<Landing, 'files'> & { readonly files: readonly LandedFile[] }) | undefined;
  readonly hashes: readonly (readonly [path: string, hash: string | null])[];
  readonly review: ReviewRecord;
}

export class LandingProjection {
  newest: LandingEntry | undefined;
  /** What each path was on trunk when we last landed it, over all landings: its hash, or null where we deleted it. */
  readonly hashes: Map<string, string | null> = new Map();
  readonly review: ReviewProjection = new ReviewProjection(this.hashes);

  snapshot(): LandingRecord {
    const { newest } = this;
    return {
      newest: newest && { ...newest, files: [...newest.files.values()] },
      hashes: [...this.hashes],
      review: this.review.snapshot(),
    };
  }

  /** Before any landing. */
  restore({ newest, hashes, review }: LandingRecord): void {
    this.newest = newest && { ...newest, files: new Map(newest.files.map((file) => [file.path, file])) };
    for (const [path, hash] of hashes) this.hashes.set(path, hash);
    this.review.restore(review);
  }

  apply(event: LandingEvent): void {
    const { type } = event;
    if (type === 'landing.started' || type === 'landing.file' || type === 'landing.ended') this.#land(event);
    else this.review.apply(event);
  }

  #land(event: WholeEvent): void {
    const { snapshot } = event;
    if (event.type === 'landing.started') {
      const { verified, paths } = event;
      // A landing that was cut off goes on: what has landed stays landed.
      if (this.newest?.snapshot === snapshot) Object.assign(this.newest, { verified, paths, ended: false });
      else this.newest = { snapshot, verified, paths, files: new Map(), landed: 0, waiting: 0, ended: false };
      return;
    }
    const landing = this.newest;
    mustHold(landing?.snapshot === snapshot && !landing.ended, 'no such landing is under way', {
      snapshot,
      event: event.type,
    });
    if (event.type === 'landing.file') addFile(landing, this.hashes, event.file, event.hash);
    else Object.assign(landing, { landed: event.landed, waiting: event.waiting, ended: true });
  }
}

function addFile(
  landing: LandingEntry,
  hashes: Map<string, string | null>,
  file: LandedFile,
  hash: string | undefined,
): void {
  const before = landing.files.get(file.path);
  if (before) count(landing, before, -1);
  landing.files.set(file.path, file);
  count(landing, file, 1);
  if (file.result === 'waits') return;
  hashes.set(file.path, hash ?? null);
}

function count(landing: LandingEntry, file: LandedFile, step: number): void {
  if (file.result === 'waits') landing.waiting += step;
  else landing.landed += step;
}
