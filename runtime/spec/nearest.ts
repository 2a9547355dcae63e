/** Levenshtein distance: insertions, deletions and replacements of characters. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[index] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The `count` ids that are most like `wanted`, as a whole or in their last part; nearest first. */
export function nearestIds(wanted: string, ids: readonly string[], count: number): string[] {
  const name = wanted.toLowerCase().slice(0, 200);
  const last = name.slice(name.lastIndexOf('/') + 1);
  return ids
    .map((id) => {
      const part = id.slice(id.lastIndexOf('/') + 1);
      // Half a point behind, so that an id that is equal as a whole comes first.
      return { id, score: Math.min(distance(name, id), distance(last, part) + 0.5) };
    })
    .toSorted((left, right) => left.score - right.score)
    .slice(0, count)
    .map(({ id }) => id);
}
