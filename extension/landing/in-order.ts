/** One after the other; `goesOn` is asked before each. */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  step: (item: Item) => Promise<Result>,
  goesOn: () => boolean = () => true,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    if (!goesOn()) break;
    // oxlint-disable-next-line no-await-in-loop -- that is what it is for
    results.push(await step(item));
  }
  return results;
}

export function inParts<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
