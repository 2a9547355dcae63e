import type { ApprovalNeed, LandingApproval, Proposal } from './landing-events.ts';

/** Journals of the first versions hold a sentence where there is a code now. */
const sentences: ReadonlyMap<string, LandingApproval> = new Map([
  ['git reads it', 'git'],
  ['editors obey it', 'editors'],
  ['it is a hook', 'hook'],
  ['coding agents obey it', 'coding-agents'],
  ['continuous integration runs it', 'continuous-integration'],
  ['tools and shells read it', 'tools'],
  ['its package scripts change', 'package-scripts'],
]);

const codes: ReadonlyMap<string, LandingApproval> = new Map(
  ([...sentences.values(), 'link-outside', 'other'] as const).map((code) => [code, code]),
);

/** What an event of any version says; also what this version does not know still needs approval. */
function needOf(told: string): ApprovalNeed {
  const linksTo = /^it links to (.*)$/su.exec(told)?.[1];
  if (linksTo !== undefined) return { approval: 'link-outside', linksTo };
  return { approval: codes.get(told) ?? sentences.get(told) ?? 'other' };
}

/** A proposal of an event, which another version may have written. */
export function withApprovalCode(
  proposal: Omit<Proposal, 'approval'> & { readonly approval?: string },
): Proposal {
  const { approval, ...rest } = proposal;
  return approval === undefined ? rest : { ...rest, ...needOf(approval) };
}
