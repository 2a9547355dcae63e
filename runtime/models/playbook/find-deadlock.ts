import { isPlan, isRejected, type IndexedTurn, type PlaybookIndex } from './playbook-index.ts';

/** What must have happened before a node can: only what holds in every run, so that each cycle is a true deadlock. */
type Needs = ReadonlyMap<string, readonly string[]>;

const committing = new Set(['submit', 'finish', 'record_decision']);

/** Turns and facts that wait for each other, as `A <- B <- A`; undefined when there are none. */
export function findDeadlock(index: PlaybookIndex): string | undefined {
  const needs = needsOf(index);
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string | undefined => {
    if (done.has(node)) return undefined;
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) return [...path.slice(seenAt), node].join(' <- ');
    path.push(node);
    for (const need of needs.get(node) ?? []) {
      const cycle = visit(need);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of needs.keys()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function needsOf(index: PlaybookIndex): Needs {
  const needs = new Map<string, readonly string[]>();
  for (const turns of index.conversations.values()) {
    for (const [position, indexed] of turns.entries()) {
      needs.set(turnNode(indexed), [
        ...previousNeeds(index, indexed, turns[position - 1]),
        ...indexed.turn.after,
      ]);
    }
  }
  for (const { task, dependsOn, by } of index.planned.values()) {
    needs.set(`${task} started`, [`turn '${by.key}'`, ...dependsOn.map((sibling) => `${sibling} ended`)]);
  }
  for (const [task, turns] of turnsByTask(index)) {
    const committed = turns.find(({ turn }) =>
      turn.calls.some((call) => committing.has(call.tool) && !isRejected(call)),
    );
    const last = turns.at(-1);
    for (const fact of ['committed', 'parked']) {
      needs.set(`${task} ${fact}`, committed ? [turnNode(committed)] : []);
    }
    needs.set(`${task} ended`, last ? [turnNode(last)] : []);
  }
  return needs;
}

/** An agent's first turn needs its start; the turn after a plan needs the children that its planner sleeps for. */
function previousNeeds(
  index: PlaybookIndex,
  { key }: IndexedTurn,
  previous: IndexedTurn | undefined,
): readonly string[] {
  if (!previous) return key.kind === 'agent' ? [`${key.task} started`] : [];
  const sleepsForAll = previous.turn.calls.some((call) => isPlan(call) && call.args['wake'] === 'all');
  const children = [...index.planned.values()].filter(({ by }) => by.key === previous.turn.key);
  return [turnNode(previous), ...(sleepsForAll ? children.map(({ task }) => `${task} ended`) : [])];
}

/** Turns of all attempts of a task, in order. */
function turnsByTask(index: PlaybookIndex): ReadonlyMap<string, readonly IndexedTurn[]> {
  const byTask = new Map<string, IndexedTurn[]>();
  for (const indexed of [...index.conversations.values()].flat()) {
    const { key } = indexed;
    if (key.kind === 'agent') byTask.set(key.task, [...(byTask.get(key.task) ?? []), indexed]);
  }
  for (const turns of byTask.values()) {
    turns.sort((left, right) => attemptOf(left) - attemptOf(right) || left.key.turn - right.key.turn);
  }
  return byTask;
}

function attemptOf({ key }: IndexedTurn): number {
  return key.kind === 'agent' ? key.attempt : 0;
}

function turnNode({ turn }: IndexedTurn): string {
  return `turn '${turn.key}'`;
}
