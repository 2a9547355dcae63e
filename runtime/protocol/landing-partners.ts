import type { LandingTarget } from './landing-api.ts';
import { isUndecided, type LandingReview } from './projection-review.ts';

type Files = Pick<LandingReview, 'files'>;

/** What is decided when these files are, in their order: both halves of a move are decided together. */
export function withPartners({ files }: Files, targets: readonly LandingTarget[]): readonly LandingTarget[] {
  const wanted = new Map(targets.map((target) => [target.path, target]));
  for (const { path, proposal } of files.values()) {
    const { movedFrom } = proposal;
    if (movedFrom === undefined || wanted.has(path) === wanted.has(movedFrom)) continue;
    const partner = files.get(wanted.has(path) ? movedFrom : path);
    if (!isUndecided(partner)) continue;
    wanted.set(partner.path, { path: partner.path, version: partner.proposal.version });
  }
  return [...wanted.values()];
}

/** What goes makes room: a folder may become a file, and a file a folder. */
export function goingFirst({ files }: Files, targets: readonly LandingTarget[]): readonly LandingTarget[] {
  const isGoing = ({ path }: LandingTarget): boolean => files.get(path)?.proposal.content === null;
  return [...targets.filter(isGoing), ...targets.filter((target) => !isGoing(target))];
}
