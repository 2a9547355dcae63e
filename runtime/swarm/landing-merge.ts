import type { LandingObstacle, Side } from '#protocol/landing-events.ts';
import { sha256 } from '#vcs/hash.ts';
import { mergeFile } from '#vcs/merge-file.ts';
import { isSameContent, type Content } from './workspace-files.ts';

/** Why sides cannot be brought together. */
export type MergeObstacle = Extract<
  LandingObstacle,
  'same-lines' | 'binary' | 'too-costly' | 'link' | 'deleted-by-build' | 'deleted-by-user'
>;

export type SidesMerge =
  | { readonly kind: 'clean'; readonly content: Content }
  | { readonly kind: 'conflict'; readonly obstacle: MergeObstacle };

const obstacles = { content: 'same-lines', binary: 'binary', 'too-costly': 'too-costly' } as const;

function conflict(obstacle: MergeObstacle): SidesMerge {
  return { kind: 'conflict', obstacle };
}

/** Three-way, with absence, modes and links. A mode that the build changed is its change; else the user's stays. Pure. */
export function mergeSides(base: Content, user: Content, build: Content): SidesMerge {
  if (isSameContent(user, base) || isSameContent(user, build)) return { kind: 'clean', content: build };
  if (isSameContent(build, base)) return { kind: 'clean', content: user };
  if (build === undefined) return conflict('deleted-by-build');
  if (user === undefined) return conflict('deleted-by-user');
  if (user.mode === 'symlink' || build.mode === 'symlink') return conflict('link');
  const mode = build.mode === base?.mode ? user.mode : build.mode;
  const merged = mergeFile(base?.bytes ?? new Uint8Array(), user.bytes, build.bytes);
  if (merged.kind !== 'clean') return conflict(obstacles[merged.reason]);
  return { kind: 'clean', content: { mode, bytes: merged.content } };
}

export function sideOf(content: Content): Side {
  return content === undefined
    ? null
    : { hash: sha256(content.bytes), mode: content.mode, size: content.bytes.length };
}

export function isSameSide(left: Side, right: Side): boolean {
  return left?.hash === right?.hash && left?.mode === right?.mode;
}
