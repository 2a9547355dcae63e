import type { ConflictKind } from '#protocol/change-sets.ts';
import type { Decision, FailureMode, Handoff, TaskPath } from '#protocol/tasks.ts';
import type { Section } from '#spec/specification.ts';

/** What an agent is told first: `system` is the same for all of its role, so that providers can cache it. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

export interface TaskHandoff {
  readonly task: TaskPath;
  readonly handoff: Handoff;
}

/** What the agents have written for each other. */
export interface FieldGuide {
  /** Its folder on trunk, which every worker may change. */
  readonly folder: string;
  /** Lines that its index.md may have, and all of its files together. */
  readonly indexLines: number;
  readonly folderLines: number;
  /** Its index.md; '' when there is none. */
  readonly index: string;
}

/** All that an agent knows of the run. What is not here, it does not get. */
interface TaskBrief {
  readonly task: TaskPath;
  /** 1 for the first agent of the task. */
  readonly attempt: number;
  readonly goal: string;
  readonly acceptance: readonly string[];
  readonly scope: readonly string[];
  readonly shared: readonly string[];
  /** The sections of the specification that the task needs. */
  readonly sections: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Those that bind the task. */
  readonly decisions: readonly Decision[];
  /** Of the tasks it depends on. */
  readonly dependencies: readonly TaskHandoff[];
  readonly fieldGuide: FieldGuide;
  /** The run's verify command. */
  readonly verify?: string;
  /** How the agent before this one ended. */
  readonly previous?: { readonly mode: FailureMode; readonly details: string };
}

export interface WorkerBrief extends TaskBrief {
  readonly sandbox: 'bubblewrap' | 'none';
}

export interface PlannerBrief extends TaskBrief {
  readonly outline: readonly Section[];
  /** Questions that are left to this planner by name. */
  readonly decides: readonly string[];
  /** What is on trunk, in a few lines. */
  readonly files: string;
  /** Tasks that the run's cap leaves to this planner. */
  readonly tasksLeft: number;
  /** Levels that may lie below this planner: 1 is workers only. */
  readonly depthLeft: number;
}

export interface ResolverBrief {
  readonly path: string;
  readonly kind: ConflictKind;
  /** The three texts; a side without the file, or with a file that is no text, is absent. */
  readonly base?: string;
  readonly trunk?: string;
  readonly ours?: string;
  readonly trunkTasks: readonly { readonly task: TaskPath; readonly goal: string }[];
  readonly ourTask: { readonly task: TaskPath; readonly goal: string };
  /** Those that bind either side. */
  readonly decisions: readonly Decision[];
  /** What each side changed; numbered from 1 within its side. */
  readonly hunks: readonly {
    readonly side: 'trunk' | 'ours';
    readonly number: number;
    readonly text: string;
  }[];
  /** 1 for the first; an answer that conflicted again makes another. */
  readonly round: number;
  /** Why the answer of the round before did not hold. */
  readonly problems?: readonly string[];
}
