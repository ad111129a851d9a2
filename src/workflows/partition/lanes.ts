/**
 * Works through items in order with at most `width` under way. Plain promises instead of races: a race leaves a
 * reaction behind on every promise that lost, and ours live for weeks.
 */
export async function lanes<Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const item = items[next];
      next += 1;
      if (item === undefined) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
