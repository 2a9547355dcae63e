import type { EditEnd, EditPlan, LandingCommand, LandingOutcome, OpenFile } from '#protocol/landing-api.ts';
import type { LandingReviewEvent, Side } from '#protocol/landing-events.ts';
import type { LandingIntent } from '#protocol/projection-review.ts';
import { isSameSide, sideOf } from './landing-merge.ts';
import type { Permission, ReviewAcceptance } from './review-acceptance.ts';
import { decisionName, isBusy, type ReviewParts } from './review-parts.ts';
import type { Sighted } from './review-proposals.ts';
import type { ReviewUndo } from './review-undo.ts';
import type { Content } from './workspace-files.ts';

/** Steps on files that an editor shows: planned and journalled here, made by the editor. */
export class ReviewEditing {
  readonly #parts: ReviewParts;
  readonly #acceptance: ReviewAcceptance;
  readonly #undo: ReviewUndo;

  constructor(parts: ReviewParts, acceptance: ReviewAcceptance, undo: ReviewUndo) {
    this.#parts = parts;
    this.#acceptance = acceptance;
    this.#undo = undo;
  }

  async beginAccept(
    { landing, group }: LandingCommand,
    file: OpenFile,
    permission: Permission,
  ): Promise<EditPlan> {
    const { log } = this.#parts;
    const { path } = file;
    const plan = await this.#acceptance.plan(
      landing,
      file,
      permission,
      await this.inEditor(path, file.bytes),
    );
    if ('kind' in plan) return { kind: 'refused', outcome: plan };
    const { content, before } = plan;
    const { trunk, version, content: after } = plan.file.proposal;
    const decision = decisionName(log.projection.review, 0);
    if (isSameSide(before, after)) {
      await log.publish({ type: 'landing.decided', landing, decision, path, outcome: 'there', trunk });
      return { kind: 'refused', outcome: { path, kind: 'done' } };
    }
    if (content === undefined || content.mode === 'symlink') {
      return { kind: 'refused', outcome: { path, kind: 'obstacle', obstacle: 'deleted-by-build' } };
    }
    await this.#begin({ step: 'accept', landing, group, decision, path, before, after });
    return { kind: 'edit', decision, version, bytes: content.bytes };
  }

  async beginUndo(name: string, bytes: Uint8Array): Promise<EditPlan> {
    const { contents, log } = this.#parts;
    const decision = this.#undo.find(name);
    const { path, landing, group } = decision;
    if (isBusy(log.projection.review, path)) return { kind: 'refused', outcome: { path, kind: 'outdated' } };
    if (decision.kind === 'discarded') return { kind: 'refused', outcome: await this.#undo.undo(name) };
    const sighted = await this.inEditor(path, bytes);
    const plan = await this.#undo.plan(decision, sighted);
    if (plan.kind === 'refused') return plan;
    const seen = sighted.kind === 'seen' ? sighted.content : undefined;
    const [before, after] = [await contents.keep(seen), sideOf(plan.content)];
    if (isSameSide(before, after)) {
      await this.#undo.takeBack(decision, 'undone', seen);
      return { kind: 'refused', outcome: { path, kind: 'done' } };
    }
    if (plan.content === undefined || plan.content.mode === 'symlink') {
      const outcome: LandingOutcome = { path, kind: 'obstacle', obstacle: 'deleted-by-user' };
      return { kind: 'refused', outcome };
    }
    await this.#begin({ step: 'undo', landing, group, decision: name, path, before, after });
    return { kind: 'edit', decision: name, version: 0, bytes: plan.content.bytes };
  }

  async #begin(intent: Omit<LandingIntent, 'type' | 'way'>): Promise<void> {
    this.#parts.editing.add(intent.decision);
    await this.#parts.log.publish({ ...intent, type: 'landing.intended', way: 'editor' });
  }

  async end(name: string, end: EditEnd): Promise<void> {
    const { log, editing } = this.#parts;
    const { review } = log.projection;
    const intent = review.intents.get(name);
    editing.delete(name);
    if (intent?.way !== 'editor') return;
    const { landing, path, step } = intent;
    if (end.kind === 'refused') {
      await log.publish({ type: 'landing.decided', landing, decision: name, path, outcome: 'given-up' });
      return;
    }
    const mode = intent.after?.mode ?? 'file';
    if (mode !== 'symlink') await this.#parts.files.setMode(path, mode);
    const content: Content = { mode, bytes: end.bytes };
    if (step === 'undo') await this.#undo.takeBack(this.#undo.find(name), 'undone', content);
    else await log.publish(await this.#accepted(intent, content, end.saved));
  }

  async #accepted(intent: LandingIntent, content: Content, saved: boolean): Promise<LandingReviewEvent> {
    const { log, contents } = this.#parts;
    const { landing, decision, group, path, before } = intent;
    const trunk: Side = log.projection.review.landing?.files.get(path)?.proposal.trunk ?? null;
    const base = { type: 'landing.decided', outcome: 'accepted', landing, decision, group, path } as const;
    const after = await contents.keep(content);
    if (saved) return { ...base, before, after, trunk };
    const sighted = await this.#parts.proposals.look(path);
    const unsaved = sideOf(sighted.kind === 'seen' ? sighted.content : undefined);
    return { ...base, before, after, unsaved, trunk };
  }

  /** The disk knows the mode; the editor what stands in the file. */
  async inEditor(path: string, bytes: Uint8Array): Promise<Sighted> {
    const sighted = await this.#parts.proposals.look(path);
    if (sighted.kind === 'blocked' || sighted.content?.mode === 'symlink') return sighted;
    return { ...sighted, content: { mode: sighted.content?.mode ?? 'file', bytes } };
  }
}
