import type { Playbook, PlaybookTurn } from '#models/playbook/playbook.ts';

/** A playbook made in a test; what a turn does not say is empty. */
export function playbookOf(
  ...turns: readonly (Partial<PlaybookTurn> & Pick<PlaybookTurn, 'key'>)[]
): Playbook {
  const entries = new Map<string, PlaybookTurn>();
  for (const [index, turn] of turns.entries()) {
    entries.set(turn.key, { line: index + 1, text: '', after: [], calls: [], ...turn });
  }
  return { file: '/book.yaml', title: 'Book', concurrency: 1, price: null, turns: entries };
}
