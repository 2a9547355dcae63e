import { z } from 'zod';
import { conversationOf, parseCallKey, type CallKey } from './call-keys.ts';
import type { Playbook, PlaybookCall, PlaybookTurn } from './playbook.ts';

export interface IndexedTurn {
  readonly turn: PlaybookTurn;
  readonly key: CallKey;
}

/** A task that a turn of its planner plans. */
interface PlannedTask {
  readonly task: string;
  readonly role: string;
  readonly dependsOn: readonly string[];
  /** The turn that plans it. */
  readonly by: PlaybookTurn;
}

/** What can be known of a playbook without running it. */
export interface PlaybookIndex {
  /** Turns by agent (`worker root/a 1`) or resolver round (`resolver PATH TASKS 1`), sorted by turn. */
  readonly conversations: ReadonlyMap<string, readonly IndexedTurn[]>;
  /** By task path. The root is not in it: no turn plans it. */
  readonly planned: ReadonlyMap<string, PlannedTask>;
}

export function indexPlaybook(playbook: Playbook): PlaybookIndex {
  const conversations = new Map<string, IndexedTurn[]>();
  const planned = new Map<string, PlannedTask>();
  for (const turn of playbook.turns.values()) {
    const key = parseCallKey(turn.key);
    if (!key) continue; // the loader refuses such keys
    const conversation = conversationOf(turn.key);
    conversations.set(conversation, [...(conversations.get(conversation) ?? []), { turn, key }]);
    for (const task of plannedBy(turn, key)) planned.set(task.task, task);
  }
  for (const turns of conversations.values()) turns.sort((left, right) => left.key.turn - right.key.turn);
  return { conversations, planned };
}

/** True when the call is a plan that is not expected to be sent back. */
export function isPlan(call: PlaybookCall): boolean {
  return call.tool === 'plan' && !isRejected(call);
}

/** True when the playbook expects that nothing comes of the call. */
export function isRejected(call: PlaybookCall): boolean {
  const outcome = call.expect.get('outcome');
  return outcome === 'rejected' || outcome === 'invalid';
}

const writtenPlan = z.object({ tasks: z.array(z.unknown()) });
const writtenTask = z.object({
  name: z.string(),
  role: z.string(),
  depends_on: z.array(z.string()).default([]),
});

/** What is not written as a task is left out: the plan tool refuses it in its own words. */
function plannedBy(turn: PlaybookTurn, key: CallKey): PlannedTask[] {
  if (key.kind !== 'agent') return [];
  const written = turn.calls
    .filter(isPlan)
    .flatMap(({ args }) => writtenPlan.safeParse(args).data?.tasks ?? []);
  return written.flatMap((task): PlannedTask[] => {
    const { data } = writtenTask.safeParse(task);
    if (!data) return [];
    const dependsOn = data.depends_on.map((sibling) => `${key.task}/${sibling}`);
    return [{ task: `${key.task}/${data.name}`, role: data.role, dependsOn, by: turn }];
  });
}
