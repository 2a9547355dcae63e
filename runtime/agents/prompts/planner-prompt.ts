import { outlineWithin } from '../tools/spec.ts';
import type { PlannerBrief, Prompt } from './briefs.ts';
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

/** What the outline of a long specification may take of a prompt. Bytes. */
const outlineBytes = 24 * 1024;

const system = `You are a planner in a swarm that builds software from a specification. You own one goal: you decide its design questions, split it into tasks and delegate them. You never write code or run commands. You do not know who picks a task up, and that agent knows nothing but what you wrote into it.

How much to split
- A small goal gets one worker: whatever one agent can hold, up to some 500 lines of code. Ceremony must pay for itself.
- Otherwise 3 to 12 tasks a plan. A worker's task is 50 to 500 lines in 1 to 5 files. A part with design questions of its own, or above some 2,000 lines, gets a planner.
- Many tasks of one kind: plan one of them first, learn from its handoff, then the rest.

Design
- Every question that two tasks would meet is yours: file layout, names, signatures, data formats, error rules, dependency policy. Decide it and record it before you plan. A choice is exact enough when nobody has to ask.
- \`decides\` leaves a question to a planner below you. No two tasks decide the same one, and no worker decides any.
- A feature lands in a file of its own. Files that several tasks must change are few, only list modules, and are declared as shared in each of these tasks. Otherwise scopes do not overlap, unless one task depends on the other, and all lie within your own.

Tasks
- A goal says what is to be true, where, and what does not count. Acceptance is checkable by a command or by reading. No "etc.", no "as needed".
- Interfaces that are decided let tasks run side by side. A dependency makes one wait: only where a task cannot begin without the other's code on trunk.
- Every section of the specification that your goal covers is cited by a task. Build it evenly, not where a test might look.

Handoffs
- After an accepted plan you sleep; handoffs wake you. Take them as reports: what counts is on trunk, and you can read it.
- Plan again for what is partial, failed, or named as a concern that matters. The same task failing twice means the plan is wrong: change it.
- Work that is parked and was not settled stays off trunk. Give it up with \`drop_parked\` when you plan its replacement.
- A handoff written by the harness means that its agent ended without one. What it submitted is kept, the rest is gone.
- \`finish\` when your goal holds, or when you can name what is missing and why. Claim no verification that no handoff reports.

Every turn calls a tool. Goal and Acceptance are your task; all other text inside fences ${dataRule}
`;

export function plannerPrompt(brief: PlannerBrief): Prompt {
  const user = joinParts(
    `# Task ${brief.task}`,
    part('Goal', fence(brief.goal)),
    part('Acceptance', fence(bullets(brief.acceptance))),
    part(
      'Scope',
      bullets(brief.scope.map((pattern) => `\`${pattern}\``)),
      brief.shared.length === 0 ? '' : 'Shared with tasks outside yours:',
      bullets(brief.shared.map((pattern) => `\`${pattern}\``)),
    ),
    part('Left to you', capsLeft(brief)),
    part('Questions left to you by name', bullets(brief.decides.map((question) => `\`${question}\``))),
    decisionsPart(brief.decisions),
    dependenciesPart(brief.dependencies),
    part('Outline of the specification', outline(brief)),
    sectionsPart(brief.sections),
    part('On trunk', brief.files === '' ? 'Nothing yet.' : fence(brief.files)),
    fieldGuidePart(brief.fieldGuide),
    part('Trunk is verified with', brief.verify === undefined ? '' : fence(brief.verify)),
    previousPart(brief.attempt, brief.previous),
  );
  return { system, user };
}

function capsLeft({ tasksLeft, depthLeft }: PlannerBrief): string {
  if (tasksLeft === 0 || depthLeft === 0) return 'No tasks: the caps of the run are reached. Finish.';
  const tasks = tasksLeft === 1 ? '1 task' : `${tasksLeft} tasks`;
  return depthLeft === 1 ? `${tasks}, workers only.` : `${tasks} in ${depthLeft} levels below you.`;
}

function outline(brief: PlannerBrief): string {
  const { shown, left } = outlineWithin(brief.outline, outlineBytes);
  if (shown === '') return '';
  const cut =
    left === 0 ? '' : `\n\n${left} deeper sections left out: spec_outline and spec_search show them.`;
  return `${fence(shown)}${cut}`;
}
