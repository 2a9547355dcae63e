import { findDeadlock } from './find-deadlock.ts';
import { indexPlaybook, isRejected, type IndexedTurn, type PlaybookIndex } from './playbook-index.ts';
import type { Playbook, PlaybookTurn } from './playbook.ts';

/** The call that ends a conversation, by the first word of its key. */
const endingTools: Readonly<Record<string, string>> = {
  planner: 'finish',
  worker: 'finish',
  resolver: 'resolve',
};

/**
 * What is wrong with a playbook as far as it shows without a run: unknown tools, barriers that cannot come to hold,
 * missing and unused turns. One line each, none when nothing was found. Malformed ones are refused by `loadPlaybook`.
 */
export function checkPlaybook(playbook: Playbook, toolNames: readonly string[]): readonly string[] {
  const index = indexPlaybook(playbook);
  const at = (turn: PlaybookTurn, problem: string): string =>
    `${playbook.file}:${turn.line}: turn '${turn.key}' ${problem}`;
  const findings = [...playbook.turns.values()].flatMap((turn) =>
    [...checkCalls(turn, toolNames), ...checkBarriers(turn, index)].map((problem) => at(turn, problem)),
  );
  for (const [conversation, turns] of index.conversations) {
    const [first] = turns;
    if (!first) continue;
    const unused = whyUnused(conversation, first, index);
    if (unused !== undefined) findings.push(at(first.turn, `is unused: ${unused}`));
    for (const key of missingTurns(conversation, turns, index)) {
      findings.push(`${playbook.file}: turn '${key}' is missing`);
    }
  }
  for (const { task, role, by } of index.planned.values()) {
    if (index.conversations.has(`${role} ${task} 1`)) continue;
    findings.push(
      `${playbook.file}: turn '${role} ${task} 1 1' is missing: '${by.key}' plans ${task} as a ${role}`,
    );
  }
  const deadlock = findDeadlock(index);
  if (deadlock !== undefined) findings.push(`${playbook.file}: these wait for each other: ${deadlock}`);
  return findings;
}

function checkCalls(turn: PlaybookTurn, toolNames: readonly string[]): string[] {
  return turn.calls
    .filter((call) => !toolNames.includes(call.tool) && !isRejected(call))
    .map((call) => `calls '${call.tool}', which is not a tool: use one of ${toolNames.join(', ')}`);
}

function checkBarriers(turn: PlaybookTurn, index: PlaybookIndex): string[] {
  return turn.after
    .filter((fact) => !isTask(fact.split(' ', 1)[0] ?? '', index))
    .map((fact) => `waits for '${fact}', but no plan has that task`);
}

function isTask(task: string, index: PlaybookIndex): boolean {
  return task === 'root' || index.planned.has(task);
}

/** Why no run can come to the conversation, or undefined. */
function whyUnused(conversation: string, { key }: IndexedTurn, index: PlaybookIndex): string | undefined {
  if (key.kind === 'resolver') {
    const unknown = key.tasks.find((task) => !isTask(task, index));
    return unknown === undefined ? undefined : `no plan has the task ${unknown}`;
  }
  const planned = index.planned.get(key.task);
  if (!isTask(key.task, index)) return `no plan has the task ${key.task}`;
  if (planned && planned.role !== key.role)
    return `'${planned.by.key}' plans ${key.task} as a ${planned.role}`;
  const other = key.role === 'planner' ? 'worker' : 'planner';
  if (!planned && index.conversations.has(conversation.replace(key.role, other))) {
    return 'the root has turns of both roles, and a run plays one of them';
  }
  return undefined;
}

/** Gaps in the turns and attempts, and the turn after the last one when that does not end the conversation. */
function missingTurns(
  conversation: string,
  turns: readonly IndexedTurn[],
  index: PlaybookIndex,
): readonly string[] {
  const there = new Set(turns.map(({ key }) => key.turn));
  const last = turns.at(-1);
  const count = last?.key.turn ?? 0;
  const missing = Array.from({ length: count }, (_, position) => position + 1)
    .filter((turn) => !there.has(turn))
    .map((turn) => `${conversation} ${turn}`);
  const [stem, series] = splitSeries(conversation);
  if (series > 1 && !index.conversations.has(`${stem} ${series - 1}`))
    missing.push(`${stem} ${series - 1} 1`);
  // An agent that was taken over need not have ended by itself.
  const wasReplaced = index.conversations.has(`${stem} ${series + 1}`);
  const endingTool = endingTools[conversation.split(' ', 1)[0] ?? ''];
  if (!wasReplaced && !last?.turn.calls.some((call) => call.tool === endingTool)) {
    missing.push(`${conversation} ${count + 1}`);
  }
  return missing;
}

/** `worker root/a 2` -> ['worker root/a', 2]: the attempt of an agent, the round of a resolver. */
function splitSeries(conversation: string): readonly [stem: string, series: number] {
  const cut = conversation.lastIndexOf(' ');
  return [conversation.slice(0, cut), Number(conversation.slice(cut + 1))];
}
