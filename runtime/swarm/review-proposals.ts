import type { LandingObstacle, Proposal, Side } from '#protocol/landing-events.ts';
import type { Snapshot } from '#vcs/repository.ts';
import { isSameSide, mergeSides, sideOf } from './landing-merge.ts';
import { protection, type LandingSides } from './landing-sides.ts';
import type { ReviewContents } from './review-contents.ts';
import { isSameContent, type Content, type Found, type WorkspaceFiles } from './workspace-files.ts';

/** A proposal without its number. */
export type Draft = Omit<Proposal, 'version'>;

/** What the user has at a path, or what stands in the way of looking. */
export type Sighted =
  | { readonly kind: 'seen'; readonly found: Found; readonly content: Content }
  | { readonly kind: 'blocked' };

/** What a proposal is made of. */
interface Sides {
  readonly base: Side;
  readonly trunk: Side;
  readonly file: Content;
  readonly seen: Content;
  readonly content: Content;
  readonly edited: boolean;
}

function isBinary(content: Content): boolean {
  return content?.bytes.includes(0) === true;
}

function kindOf(seen: Content, content: Content): Proposal['kind'] {
  if (seen?.mode === 'symlink' || content?.mode === 'symlink') return 'link';
  return isBinary(seen) || isBinary(content) ? 'binary' : 'text';
}

/** Makes proposals: what of the build may stand in the user's file, given what they have done to it. */
export class ReviewProposals {
  readonly #sides: LandingSides;
  readonly #files: WorkspaceFiles;
  readonly #contents: ReviewContents;

  constructor(sides: LandingSides, files: WorkspaceFiles, contents: ReviewContents) {
    this.#sides = sides;
    this.#files = files;
    this.#contents = contents;
  }

  async look(path: string): Promise<Sighted> {
    if ((await this.#files.blockedWay(path)) !== undefined) return { kind: 'blocked' };
    const found = await this.#files.find(path);
    if (found.kind === 'special') return { kind: 'blocked' };
    return { kind: 'seen', found, content: found.kind === 'file' ? found.content : undefined };
  }

  /** What a snapshot brings to a path; `there` when the user has it already. */
  async fresh(
    snapshot: Snapshot,
    path: string,
  ): Promise<{ readonly draft: Draft; readonly isThere: boolean }> {
    const [base, trunk] = [this.#sides.base(path), snapshot.entry(path)];
    const [file, content] = [await this.#sides.content(base), await this.#sides.content(trunk)];
    const sides = { base: base ?? null, trunk: trunk ?? null, file, content, edited: false };
    const sighted = await this.look(path);
    if (sighted.kind === 'blocked') {
      const draft = await this.#draft(path, { ...sides, seen: file }, 'way-blocked');
      return { draft, isThere: false };
    }
    const draft = await this.#settle(path, { ...sides, seen: sighted.content });
    return { draft, isThere: draft.obstacle === undefined && isSameSide(draft.seen, draft.content) };
  }

  /** The proposal once the user's file is this; undefined when it was this already. */
  async sighted(path: string, proposal: Proposal, sighted: Sighted): Promise<Draft | undefined> {
    if (sighted.kind === 'blocked') {
      if (proposal.obstacle === 'way-blocked') return undefined;
      return { ...proposal, obstacle: 'way-blocked' };
    }
    const isKnown = isSameSide(sideOf(sighted.content), proposal.seen) && proposal.obstacle !== 'way-blocked';
    return isKnown ? undefined : this.#again(path, proposal, { seen: sighted.content });
  }

  /** The proposal once the user has edited it. */
  async edited(path: string, proposal: Proposal, bytes: Uint8Array): Promise<Draft> {
    const content = { mode: proposal.content?.mode ?? 'file', bytes };
    const seen = await this.#contents.read(proposal.seen);
    return this.#again(path, { ...proposal, edited: true }, { seen, content });
  }

  /** The proposal of a file that is decided again. */
  async reopened(path: string, proposal: Proposal, seen: Content): Promise<Draft> {
    return this.#again(path, proposal, { seen });
  }

  /** The proposal that the user has edited, once green is another. */
  async refreshed(snapshot: Snapshot, path: string, proposal: Proposal): Promise<Draft> {
    const trunk = snapshot.entry(path) ?? null;
    const [old, now] = [await this.#contents.read(proposal.trunk), await this.#contents.read(trunk)];
    const merged = mergeSides(old, await this.#contents.read(proposal.content), now);
    const seen = await this.#contents.read(proposal.seen);
    if (merged.kind === 'clean')
      return this.#again(path, { ...proposal, trunk }, { seen, content: merged.content });
    const draft = await this.#again(path, { ...proposal, trunk }, { seen });
    return draft.obstacle === undefined ? { ...draft, obstacle: 'proposal-edited' } : draft;
  }

  async #again(
    path: string,
    proposal: Draft,
    changed: { readonly seen: Content; readonly content?: Content },
  ): Promise<Draft> {
    const [file, content] = [
      await this.#contents.read(proposal.file),
      'content' in changed ? changed.content : await this.#contents.read(proposal.content),
    ];
    const { base, trunk, edited, movedFrom } = proposal;
    const draft = await this.#settle(path, { base, trunk, file, seen: changed.seen, content, edited });
    const kept = movedFrom === undefined ? draft : { ...draft, movedFrom };
    // Only an edit of the proposal settles what it is in conflict with.
    const stays =
      proposal.obstacle === 'proposal-edited' && !('content' in changed) && draft.obstacle === undefined;
    return stays ? { ...kept, obstacle: 'proposal-edited' } : kept;
  }

  /** The one rule: what the user has changed since the proposal was made is merged with it. */
  async #settle(path: string, sides: Sides): Promise<Draft> {
    const { file, seen, content } = sides;
    const merged = mergeSides(file, seen, content);
    if (merged.kind === 'conflict') return this.#draft(path, sides, merged.obstacle);
    return this.#draft(path, { ...sides, file: seen, content: merged.content }, undefined);
  }

  async #draft(path: string, sides: Sides, obstacle: LandingObstacle | undefined): Promise<Draft> {
    const { base, trunk, file, seen, content, edited } = sides;
    const need = isSameContent(seen, content) ? undefined : protection(path, seen, content);
    return {
      base,
      trunk,
      file: await this.#contents.keep(file),
      seen: await this.#contents.keep(seen),
      content: await this.#contents.keep(content),
      kind: kindOf(seen, content),
      ...need,
      ...(obstacle === undefined ? {} : { obstacle }),
      edited,
    };
  }
}
