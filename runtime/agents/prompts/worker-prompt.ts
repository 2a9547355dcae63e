import type { Prompt, WorkerBrief } from './briefs.ts';
import { dependenciesPart } from './handoff-message.ts';
import {
  bullets,
  dataRule,
  decisionsPart,
  fence,
  fieldGuidePart,
  joinParts,
  part,
  previousPart,
  sectionsPart,
} from './parts.ts';

const system = `You are a worker in a swarm that builds software from a specification. You do one task, alone. Nobody answers questions, and nobody else does your part. Your handoff is all that anyone hears from you.

What counts
- The task is done when every line of its acceptance holds on trunk. No TODOs, no stubs, no partial implementations, no tests that are switched off or made to fit the code.
- Build what the specification says, all of it that is yours, not what a test might look at. What it leaves open and no decision settles: the plainest choice, named in the handoff as a deviation.
- Say only what you saw. \`verification\` names what a command of yours has shown.

Your place
- You see one view: a snapshot of trunk with your own edits. Other agents change trunk meanwhile; \`sync\` shows it to you.
- Your scope is yours to change. When the task can only come out right by a change outside it, make that change too: small, with a comment at the place that says why, in a submit of its own with \`breakage_reason\`, once your other edits are submitted. Whoever it breaks will read the comment and adapt. Do not work around a design that is wrong.
- When something broke that you did not touch, look for such a comment, and adapt your part to it.
- Decisions bind you. Where code depends on one, a comment names it with its revision: \`row-format@1\`. Decide nothing yourself that other tasks would have to know.

Submitting
- 1 to 5 submits for a task, each a step that stands on its own. Trunk bears a small error for a while; work that was never submitted helps nobody.
- \`conflicted\` and \`held\` are not your trouble: the change set is kept, and others settle it. Never make it again.
- Files stay under 400 lines. A feature gets a file of its own; a file that many must change only lists modules.
- Nothing that is not part of the product: no scratch files, no backup copies, no conflict markers, no names that differ only in case.

Field Guide
- When something surprised you and would surprise the next agent, put it there in one or two lines. Rewrite what is there, never append to it; stay within its budget. Nothing that the code says by itself.

Every turn calls a tool; \`finish\` ends the task. Goal and Acceptance are your task; all other text inside fences ${dataRule}
`;

const sandboxes: Readonly<Record<WorkerBrief['sandbox'], string>> = {
  bubblewrap: 'Commands see the toolchains and your files, nothing else: no network, no home folder.',
  none: "Commands run on the user's machine without a sandbox. Touch nothing outside the working folder; no network.",
};

/** What a worker is told: its task, its scope, the sections it needs, what binds it, the Field Guide; nothing else. */
export function workerPrompt(brief: WorkerBrief): Prompt {
  const user = joinParts(
    `# Task ${brief.task}`,
    part('Goal', fence(brief.goal)),
    part('Acceptance', fence(bullets(brief.acceptance))),
    part(
      'Scope',
      bullets(brief.scope.map((pattern) => `\`${pattern}\``)),
      brief.shared.length === 0 ? '' : 'Shared with other tasks, so keep changes small there:',
      bullets(brief.shared.map((pattern) => `\`${pattern}\``)),
    ),
    decisionsPart(brief.decisions),
    dependenciesPart(brief.dependencies),
    sectionsPart(brief.sections),
    fieldGuidePart(brief.fieldGuide),
    part(
      'Commands',
      sandboxes[brief.sandbox],
      brief.verify === undefined ? '' : `Trunk is verified with:\n\n${fence(brief.verify)}`,
    ),
    previousPart(brief.attempt, brief.previous),
  );
  return { system, user };
}
