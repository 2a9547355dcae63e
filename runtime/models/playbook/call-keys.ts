import { hash } from 'node:crypto';

/** What a call key says (docs/adr/0001). The harness writes keys; only playbooks take them apart. */
export type CallKey =
  | {
      readonly kind: 'agent';
      readonly role: 'planner' | 'worker';
      readonly task: string;
      readonly attempt: number;
      readonly turn: number;
    }
  | {
      readonly kind: 'resolver';
      readonly path: string;
      /** Sorted. */
      readonly tasks: readonly string[];
      readonly round: number;
      readonly turn: number;
    };

export const callKeyForms = "'planner|worker TASK ATTEMPT TURN' or 'resolver PATH TASK+TASK ROUND TURN'";
const taskPath = String.raw`root(?:/[a-z0-9-]+)*`;
const agentKey = new RegExp(String.raw`^(planner|worker) (${taskPath}) ([1-9]\d*) ([1-9]\d*)$`);
// The path comes first and may hold spaces; what follows it may not.
const resolverKey = new RegExp(
  String.raw`^resolver (.+) (${taskPath}(?:\+${taskPath})*) ([1-9]\d*) ([1-9]\d*)$`,
);

/** Undefined when the text has neither of the two forms, or a resolver's tasks are not sorted. */
export function parseCallKey(key: string): CallKey | undefined {
  const agent = agentKey.exec(key);
  if (agent) {
    const [, role, task = '', attempt, turn] = agent;
    return {
      kind: 'agent',
      role: role === 'planner' ? 'planner' : 'worker',
      task,
      attempt: Number(attempt),
      turn: Number(turn),
    };
  }
  const [, path, joined, round, turn] = resolverKey.exec(key) ?? [];
  if (path === undefined || joined === undefined) return undefined;
  const tasks = joined.split('+');
  if (tasks.toSorted().join('+') !== joined || new Set(tasks).size !== tasks.length) return undefined;
  return { kind: 'resolver', path, tasks, round: Number(round), turn: Number(turn) };
}

/** The key without its turn: what all turns of one agent, or of one round of a resolver, have in common. */
export function conversationOf(key: string): string {
  return key.slice(0, key.lastIndexOf(' '));
}

/** The key of the turn before, or undefined for the first. */
export function previousCallKey(key: string): string | undefined {
  const turn = Number(key.slice(key.lastIndexOf(' ') + 1));
  return turn > 1 ? `${conversationOf(key)} ${turn - 1}` : undefined;
}

/**
 * The id of a tool call: the same for the same key and index, so that a resumed run finds the results of the run
 * before it. At most 40 characters, which is what OpenAI accepts.
 */
export function toolCallId(key: string, index: number): string {
  return `call_${hash('sha256', `${key} ${index}`).slice(0, 24)}`;
}

/** The header that carries a call key over HTTP, to loopback only. */
export const callKeyHeader = 'x-swarmwright-call';

/** A path in a key may hold any character; a header holds printable ASCII. */
export function encodeCallKey(key: string): string {
  return key.toWellFormed().replaceAll(/[^\u{20}-\u{7e}]|%/gu, (character) => encodeURIComponent(character));
}

/** Undefined when it is not what `encodeCallKey` writes. */
export function decodeCallKey(header: string): string | undefined {
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}
