import type { ConflictKind } from '#protocol/change-sets.ts';
import type { RunEventBody } from '#protocol/events.ts';
import type { ConflictOutcome } from '#protocol/history.ts';
import type { TaskNode } from '#protocol/projection-tasks.ts';
import { shownState } from '#protocol/shown-state.ts';
import type { FailureMode, Handoff, Role, TaskState } from '#protocol/tasks.ts';
import { l10n } from './words.ts';

export function stateLabel({ state: known, lastRole, attempt }: TaskNode, isDriven: boolean): string {
  const state = shownState(known, isDriven);
  if (isDriven && lastRole === 'resolver' && state === 'parked') return l10n.t('conflict being resolved');
  switch (state) {
    case 'waiting':
      return attempt > 1 ? l10n.t('starts again') : l10n.t('waiting');
    case 'running':
      return l10n.t('working');
    case 'sleeping':
      return l10n.t('waits for its tasks');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'parked':
      return l10n.t('parked');
    case 'done':
    case 'failed':
    case 'cancelled':
      return endLabel(state);
    default:
      return state satisfies never;
  }
}

export function endLabel(state: TaskState): string {
  switch (state) {
    case 'done':
      return l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'waiting':
    case 'running':
    case 'sleeping':
    case 'parked':
      return l10n.t('working');
    default:
      return state satisfies never;
  }
}

export function roleLabel(role: CommitRole): string {
  switch (role) {
    case 'planner':
      return l10n.t('planner');
    case 'worker':
      return l10n.t('worker');
    case 'resolver':
      return l10n.t('resolver');
    case 'harness':
      return l10n.t('harness');
    case 'user':
      return l10n.t('you');
    default:
      return role satisfies never;
  }
}

type CommitRole = Extract<RunEventBody, { type: 'vcs.committed' }>['role'];

/** Names of codicons, the same as in the view "Agents". */
const roleIcons: Readonly<Record<Role, string>> = {
  planner: 'type-hierarchy-sub',
  worker: 'tools',
  resolver: 'git-merge',
};

const endIcons: Readonly<Partial<Record<TaskState, string>>> = {
  parked: 'git-pull-request-draft',
  done: 'pass',
  failed: 'error',
  cancelled: 'circle-slash',
};

/** While a task is open its icon tells the role, once it has ended how; its state is written beside it as well. */
export function taskIcon({ state, lastRole, spec }: TaskNode, isDriven: boolean): string {
  if (isDriven && state === 'parked' && lastRole === 'resolver') return roleIcons.resolver;
  return endIcons[state] ?? roleIcons[spec.role];
}

export function outcomeLabel({ kind }: ConflictOutcome): string {
  switch (kind) {
    case 'open':
      return l10n.t('open');
    case 'resolved':
      return l10n.t('resolved');
    case 'dropped':
      return l10n.t('dropped');
    case 'gone':
      return l10n.t('gone');
    default:
      return kind satisfies never;
  }
}

export function conflictLabel(kind: ConflictKind): string {
  switch (kind) {
    case 'content':
      return l10n.t('both changed the same lines');
    case 'add-add':
      return l10n.t('both added the file');
    case 'edit-delete':
      return l10n.t('trunk edited what the change set deletes');
    case 'delete-edit':
      return l10n.t('trunk deleted what the change set edits');
    case 'binary':
      return l10n.t('both changed a binary file');
    case 'mode':
      return l10n.t('both changed the mode');
    case 'type':
      return l10n.t('a file on one side, a link or folder on the other');
    case 'too-costly':
      return l10n.t('too different to be merged');
    default:
      return kind satisfies never;
  }
}

export function verificationLabel(verification: Handoff['verification']): string {
  switch (verification) {
    case 'seen-live':
      return l10n.t('seen live');
    case 'unit-tests':
      return l10n.t('unit tests');
    case 'types-only':
      return l10n.t('types only');
    case 'verifier-blocked':
      return l10n.t('verifier blocked');
    case 'verifier-failed':
      return l10n.t('verifier failed');
    case 'not-verified':
      return l10n.t('not verified');
    default:
      return verification satisfies never;
  }
}

export function failureLabel(mode: FailureMode): string {
  switch (mode) {
    case 'turn-limit':
      return l10n.t('turn limit');
    case 'stalled':
      return l10n.t('stalled');
    case 'looping':
      return l10n.t('looping');
    case 'context-overflow':
      return l10n.t('context overflow');
    case 'output-limit':
      return l10n.t('output limit');
    case 'model-error':
      return l10n.t('model error');
    case 'budget':
      return l10n.t('budget');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'parked-without-resolution':
      return l10n.t('parked without resolution');
    case 'unknown':
      return l10n.t('unknown');
    default:
      return mode satisfies never;
  }
}
