import type { ChatMessage } from '#protocol/models.ts';

/**
 * The key of a call (docs/adr/0001), from nothing but what a provider is sent: role and task, or the conflict, from the
 * prompt; the turn from the answers so far. Undefined when it is no call of an agent.
 */
export function deriveCallKey(messages: readonly ChatMessage[]): string | undefined {
  const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant');
  // What comes later may quote other prompts, and so may what stands in fences.
  const opening = outsideFences(
    messages.slice(0, firstAnswer === -1 ? undefined : firstAnswer).flatMap(({ text }) => text.split('\n')),
  );
  const found = (pattern: RegExp): string | undefined =>
    opening.map((line) => pattern.exec(line)?.[1]).find((text) => text !== undefined);
  const conflict = found(/^# Conflict in `(.+)`$/u);
  if (conflict !== undefined) {
    const round = found(/ Round (\d+): trunk has moved on/u) ?? '1';
    return `resolver ${conflict} ${conflictingTasks(opening).join('+')} ${round} ${turn}`;
  }
  const role = found(/^You are a (planner|worker) in a swarm/u);
  const task = found(/^# Task (root\S*)$/u);
  if (role === undefined || task === undefined) return undefined;
  return `${role} ${task} ${found(/^## Attempt (\d+)$/u) ?? '1'} ${turn}`;
}

function outsideFences(lines: readonly string[]): readonly string[] {
  let fence: string | undefined;
  return lines.filter((line) => {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      return false;
    }
    fence = /^`{3,}/u.exec(line)?.[0];
    return fence === undefined;
  });
}

/** The headings below "what its side wants", of both sides, sorted. */
function conflictingTasks(opening: readonly string[]): readonly string[] {
  let within = false;
  const tasks = opening.filter((line) => {
    if (line.startsWith('## ')) within = line.endsWith(': what its side wants');
    return within && line.startsWith('### ');
  });
  return [...new Set(tasks.map((line) => line.slice('### '.length)))].toSorted();
}
