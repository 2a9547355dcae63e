/** Runs `action` on one item after the other: where the order is what makes it safe. */
export async function eachInOrder<Item>(
  items: Iterable<Item>,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    // oxlint-disable-next-line no-await-in-loop -- the order is the point
    await action(item);
  }
}

/** Runs `action` on all items, at most `width` at a time, so that a large tree does not exhaust file descriptors. */
export async function eachAtMost<Item>(
  width: number,
  items: readonly Item[],
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async (): Promise<void> => {
    await eachInOrder(rest, action);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
