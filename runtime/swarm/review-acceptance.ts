import type { AcceptCommand, LandingOutcome, LandingTarget } from '#protocol/landing-api.ts';
import type { LandingReviewEvent, Side } from '#protocol/landing-events.ts';
import { withPartners } from '#protocol/landing-partners.ts';
import { isUndecided, type LandingFile } from '#protocol/projection-review.ts';
import { isSameSide } from './landing-merge.ts';
import { decisionName, isBusy, landingOf, proposed, type ReviewParts } from './review-parts.ts';
import type { Sighted } from './review-proposals.ts';
import type { Content, Found } from './workspace-files.ts';

/** How often a file that changes under the step is looked at again. */
const attempts = 2;

/** What the user allows for one file. */
export interface Permission {
  readonly approved: boolean;
  readonly replace: boolean;
}

/** A file that may be written: what stands there, and what will. */
export interface Planned {
  readonly file: LandingFile;
  readonly found: Found;
  readonly content: Content;
  readonly before: Side;
}

type Written = 'written' | 'changed' | { readonly code: string };

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** Accepts files of a landing: checks each, journals the intents with their before-images, writes, journals the results. */
export class ReviewAcceptance {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  async accept(command: AcceptCommand): Promise<readonly LandingOutcome[]> {
    const outcomes = new Map<string, LandingOutcome>();
    const landing = landingOf(this.#parts.log.projection.review, command.landing);
    const files = withPartners(landing, command.files);
    const isGoing = ({ path }: LandingTarget): boolean => landing.files.get(path)?.proposal.content === null;
    const going = files.filter(isGoing);
    // What goes makes room: a folder may become a file, and a file a folder.
    await this.#acceptAll(command, going, outcomes);
    await this.#acceptAll(
      command,
      files.filter((file) => !going.includes(file)),
      outcomes,
    );
    return files.map(({ path }) => outcomes.get(path) ?? { path, kind: 'outdated' });
  }

  async #acceptAll(
    command: AcceptCommand,
    files: readonly LandingTarget[],
    outcomes: Map<string, LandingOutcome>,
  ): Promise<void> {
    let open = files;
    for (let attempt = 1; attempt <= attempts && open.length > 0; attempt += 1) {
      open = await this.#acceptOnce(command, open, outcomes);
    }
    for (const { path } of open) outcomes.set(path, { path, kind: 'obstacle', obstacle: 'keeps-changing' });
  }

  /** Those that changed while they were written, to be tried again. */
  async #acceptOnce(
    command: AcceptCommand,
    files: readonly LandingTarget[],
    outcomes: Map<string, LandingOutcome>,
  ): Promise<readonly LandingTarget[]> {
    const planned: Planned[] = [];
    for (const target of files) {
      const permission = {
        approved: command.approve.includes(target.path),
        replace: command.replace.includes(target.path),
      };
      const plan = await this.plan(command.landing, target, permission);
      if ('kind' in plan) outcomes.set(target.path, plan);
      else planned.push(plan);
    }
    return this.#write(command, planned, outcomes);
  }

  /** Looks at the user's file, or takes what an editor has of it; merges what has changed since it was seen. */
  async plan(
    landingId: string,
    { path, version }: LandingTarget,
    { approved, replace }: Permission,
    sighted?: Sighted,
  ): Promise<Planned | LandingOutcome> {
    const { proposals, contents } = this.#parts;
    const known = this.#file(landingId, path);
    const isTaken = isBusy(this.#parts.log.projection.review, path);
    if (isTaken || !isUndecided(known) || known.proposal.version !== version)
      return { path, kind: 'outdated' };
    const now = sighted ?? (await proposals.look(path));
    const file = await this.#sight(landingId, known, now);
    if (now.kind === 'blocked') return { path, kind: 'obstacle', obstacle: 'way-blocked' };
    const { obstacle, approval, linksTo } = file.proposal;
    if (obstacle !== undefined && !replace) return { path, kind: 'obstacle', obstacle };
    if (approval !== undefined && !approved) {
      return { path, kind: 'needs-approval', approval, ...(linksTo === undefined ? {} : { linksTo }) };
    }
    const { found, content: seen } = now;
    if (found.kind === 'file' && seen?.mode !== 'symlink' && (found.permissions & 0o200) === 0) {
      return { path, kind: 'obstacle', obstacle: 'read-only' };
    }
    const content = await contents.read(file.proposal.content);
    return { file, found, content, before: await contents.keep(seen) };
  }

  async #sight(landingId: string, file: LandingFile, now: Sighted): Promise<LandingFile> {
    const { log, proposals } = this.#parts;
    const { path } = file;
    const draft = await proposals.sighted(path, file.proposal, now);
    if (draft === undefined) return file;
    await log.publish(proposed(landingOf(log.projection.review, landingId), path, draft, 'file-changed'));
    return this.#file(landingId, path) ?? file;
  }

  #file(landing: string, path: string): LandingFile | undefined {
    return landingOf(this.#parts.log.projection.review, landing).files.get(path);
  }

  async #write(
    { landing, group }: AcceptCommand,
    planned: readonly Planned[],
    outcomes: Map<string, LandingOutcome>,
  ): Promise<readonly LandingTarget[]> {
    const { log } = this.#parts;
    const { review } = log.projection;
    const steps = planned.map((plan, index) => ({
      plan,
      ...this.#intent(landing, group, plan, decisionName(review, index)),
    }));
    await log.publish(...steps.flatMap(({ intent }) => intent ?? []));
    const results: LandingReviewEvent[] = [];
    const again: LandingTarget[] = [];
    for (const { plan, decision, intent } of steps) {
      const { path, proposal } = plan.file;
      const written = intent === undefined ? 'written' : await this.put(path, plan.found, plan.content);
      const base = { type: 'landing.decided', landing, decision, path } as const;
      const { trunk } = proposal;
      if (written !== 'written') results.push({ ...base, outcome: 'given-up' });
      else if (intent === undefined) results.push({ ...base, outcome: 'there', trunk });
      else {
        const { before, after } = intent;
        results.push({ ...base, outcome: 'accepted', group, before, after, trunk });
      }
      if (written === 'changed') again.push({ path, version: proposal.version });
      else
        outcomes.set(
          path,
          written === 'written' ? { path, kind: 'done' } : { path, kind: 'failed', code: written.code },
        );
    }
    await log.publish(...results);
    return again;
  }

  /** No intent where the file holds already what is proposed. */
  #intent(
    landing: string,
    group: string,
    { file, before }: Planned,
    decision: string,
  ): {
    readonly decision: string;
    readonly intent?: Extract<LandingReviewEvent, { type: 'landing.intended' }>;
  } {
    const { path, proposal } = file;
    const after = proposal.content;
    if (isSameSide(before, after)) return { decision };
    const step = { type: 'landing.intended', step: 'accept', way: 'bytes' } as const;
    return { decision, intent: { ...step, landing, decision, group, path, before, after } };
  }

  /** Writes what is planned, if what was found is still there. */
  async put(path: string, found: Found, content: Content): Promise<Written> {
    const { files } = this.#parts;
    try {
      if ((await files.blockedWay(path)) !== undefined) return 'changed';
      await files.removeDraft(path);
      return (await files.put(path, found, content)) ? 'written' : 'changed';
    } catch (error) {
      return { code: codeOf(error) };
    }
  }
}
