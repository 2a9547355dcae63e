import type { SubmitOutcome } from '#protocol/change-sets.ts';
import type { FileTree } from '#protocol/file-tree.ts';
import type { Decision, Handoff, Plan, TaskPath } from '#protocol/tasks.ts';
import type { CommandResult } from '#sandbox/command-runner.ts';
import type { Specification } from '#spec/specification.ts';
import type { SyncResult, View } from '#vcs/repository.ts';

/** What every reading tool needs. The ports of this file are all that a tool can reach: a role's rights end here. */
export interface ReadingContext {
  readonly tree: FileTree;
  readonly spec: Specification;
  /** One line for the reader of `path` when others have parked work on it. */
  note(path: string): string | undefined;
}

export interface WorkerContext extends ReadingContext {
  /** The same as `tree`, with the worker's own edits to write to. */
  readonly view: View;
  /** All that the task may change without a licence: own, shared and Field Guide paths. */
  readonly scope: readonly string[];
  /** Runs it in a checkout of the view. @throws the signal's reason when it aborts */
  runCommand(command: string, signal: AbortSignal): Promise<CommandResult>;
  /** Brings the view to the newest trunk, its edits merged onto it. */
  sync(): Promise<SyncResult>;
  /** Submits the view's edits; a reason makes it a licensed breakage. Advances the view when they are on trunk. */
  submit(title: string, breakageReason: string | undefined): Promise<SubmitOutcome>;
  /** Submits what is left, if anything, and takes the handoff unless that is rejected. */
  finish(handoff: Handoff, title?: string): Promise<SubmitOutcome | 'nothing'>;
}

export interface DecisionDraft {
  readonly question: string;
  readonly choice: string;
  readonly why: string;
}

export type DecisionOutcome =
  | { readonly kind: 'recorded'; readonly decision: Decision }
  /** `code` is one word joined by dashes (`decided-elsewhere`), `details` one line for the planner. */
  | { readonly kind: 'rejected'; readonly code: string; readonly details: string };

export type PlanOutcome =
  | { readonly kind: 'accepted'; readonly tasks: number }
  /** One line each; they name the tasks, paths or questions that clash. */
  | { readonly kind: 'rejected'; readonly problems: readonly string[] };

export type PlanningEnd =
  | { readonly kind: 'finished' }
  /** `code` is one word joined by dashes (`children-running`), `details` one line for the planner. */
  | { readonly kind: 'rejected'; readonly code: string; readonly details: string };

export type DropOutcome =
  | { readonly kind: 'dropped' }
  | { readonly kind: 'rejected'; readonly code: string; readonly details: string };

export interface PlannerContext extends ReadingContext {
  /** Gives up work that is parked below the planner and that nobody settles any more. */
  dropParked(task: TaskPath, reason: string): Promise<DropOutcome>;
  recordDecision(draft: DecisionDraft): Promise<DecisionOutcome>;
  plan(plan: Plan): Promise<PlanOutcome>;
  finish(handoff: Handoff): Promise<PlanningEnd>;
}

/** A hunk of one side that the resolver's answer leaves out on purpose. Hunks are numbered from 1 within their side. */
export interface Waiver {
  readonly side: 'trunk' | 'ours';
  readonly hunk: number;
  readonly reason: string;
}

export interface Resolution {
  readonly action: 'write' | 'delete';
  /** The whole file; present with `write`. */
  readonly content?: string;
  readonly waivers: readonly Waiver[];
}

type ResolutionOutcome =
  | { readonly kind: 'accepted' }
  /** One line each: the hunks that are neither kept nor waived, or why the submit was refused. */
  | { readonly kind: 'rejected'; readonly problems: readonly string[] };

export interface ResolverContext {
  resolve(resolution: Resolution): Promise<ResolutionOutcome>;
}
