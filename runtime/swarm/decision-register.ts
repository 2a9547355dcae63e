import type { SubmitId } from '#protocol/change-sets.ts';
import type { RunProjection } from '#protocol/projection.ts';
import { isWithinTask, parentTask, type Decision, type TaskPath } from '#protocol/tasks.ts';
import type { DecisionDraft, DecisionOutcome } from '#agents/tools/context.ts';
import type { Repository } from '#vcs/repository.ts';
import type { Claims } from './claims.ts';

/** The folder of design docs on trunk. The harness writes them for the planners. */
export const designFolder = 'design';

export function formatReference(decision: Decision): string {
  return `${decision.question}@${decision.revision}`;
}

/** One design doc: a decision with its number, so that a reader and a later checker find it. */
function renderDecision(decision: Decision): string {
  return [
    `# ${formatReference(decision)}`,
    '',
    `- question: ${decision.question}`,
    `- revision: ${decision.revision}`,
    `- owner: ${decision.owner}`,
    '',
    '## Choice',
    '',
    decision.choice.trim(),
    '',
    '## Why',
    '',
    decision.why.trim(),
    '',
  ].join('\n');
}

/** Decisions that bind a task: its own, those of the planners above it, and those made in what it depends on. */
export function bindingDecisions(projection: RunProjection, task: TaskPath): readonly Decision[] {
  const parent = parentTask(task);
  const dependsOn = projection.task(task).spec.dependsOn.map((name) => `${parent ?? ''}/${name}`);
  return [...projection.decisions.values()].filter(
    ({ owner }) =>
      isWithinTask(task, owner) || dependsOn.some((dependency) => isWithinTask(owner, dependency)),
  );
}

/** Questions that the tasks of the tree were given to decide, those just being planned included. */
export function claimedQuestions(
  projection: RunProjection,
  claims: Claims,
): readonly { readonly question: string; readonly task: TaskPath }[] {
  const planned = [...claims.tasks].map(([path, spec]) => ({ path, spec }));
  return [...projection.tasks.values(), ...planned].flatMap(({ path, spec }) =>
    spec.decides.map((question) => ({ question, task: path })),
  );
}

/** Why the planner may not decide the question, if it may not. */
function refusal(
  projection: RunProjection,
  claims: Claims,
  planner: TaskPath,
  question: string,
): string | undefined {
  const owner = claims.questionOwner(question);
  if (owner !== undefined) return `${owner} is deciding it now`;
  const decided = projection.decisions.get(question);
  if (decided && decided.owner !== planner) {
    return `${decided.owner} decided it as ${formatReference(decided)}: ${decided.choice}`;
  }
  const claim = claimedQuestions(projection, claims).find(
    (one) => one.question === question && !isWithinTask(planner, one.task),
  );
  return claim ? `it is ${claim.task}'s to decide` : undefined;
}

export interface DecisionRequest {
  readonly run: string;
  readonly model: string;
  readonly attempt: number;
  readonly planner: TaskPath;
  readonly id: SubmitId;
}

/** Writes a planner's decision as a design doc on trunk. The event is the caller's to publish, with the tool's result. */
export async function recordDecision(
  repository: Repository,
  projection: RunProjection,
  claims: Claims,
  request: DecisionRequest,
  draft: DecisionDraft,
): Promise<DecisionOutcome & { readonly commit?: string }> {
  const { planner } = request;
  const details = refusal(projection, claims, planner, draft.question);
  if (details !== undefined) return { kind: 'rejected', code: 'decided-elsewhere', details };
  claims.claimQuestion(draft.question, planner);
  const before = projection.decisions.get(draft.question);
  const decision: Decision = { ...draft, revision: (before?.revision ?? 0) + 1, owner: planner };
  const outcome = await repository.submit({
    id: request.id,
    changeSet: {
      base: repository.head().id,
      changes: [
        {
          kind: 'write',
          path: `${designFolder}/${decision.question}.md`,
          mode: 'file',
          content: new TextEncoder().encode(renderDecision(decision)),
        },
      ],
    },
    scope: [],
    intent: { kind: 'harness' },
    provenance: {
      run: request.run,
      task: planner,
      attempt: request.attempt,
      role: 'planner',
      model: request.model,
      decisions: [formatReference(decision)],
      title: `decide ${formatReference(decision)}`,
    },
  });
  if (outcome.kind === 'committed' || outcome.kind === 'merged') {
    return { kind: 'recorded', decision, commit: outcome.commit };
  }
  claims.releaseQuestion(draft.question);
  return outcome.kind === 'rejected'
    ? { kind: 'rejected', code: outcome.rejection.code, details: outcome.rejection.details }
    : { kind: 'rejected', code: outcome.kind, details: 'others changed the design doc; record it again' };
}
