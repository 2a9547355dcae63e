import type { AcceptCommand } from '#protocol/landing-api.ts';
import type { RunState } from '#protocol/projection.ts';

/** A command that accepts what is undecided, also what needs approval. */
export function everything({ review: { landing } }: RunState, group: string): AcceptCommand {
  const files = [...(landing?.files.values() ?? [])]
    .filter(({ state }) => state === 'pending')
    .map(({ path, proposal: { version } }) => ({ path, version }));
  return { landing: landing?.id ?? '', group, files, approve: files.map(({ path }) => path), replace: [] };
}
