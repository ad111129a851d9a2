/**
 * Works through items with at most `width` under way. After a failure nothing new is begun; it is thrown once all that
 * was begun has ended.
 */
export const inParallel = <Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => inLanes(Math.min(width, items.length), items[Symbol.iterator](), work);

/** As {@link inParallel}, for items that are made while others are worked on. */
export async function inLanes<Item>(
  width: number,
  queue: IterableIterator<Item> | AsyncIterableIterator<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let failure: { cause: unknown } | undefined;
  const fail = (cause: unknown): void => void (failure ??= { cause });
  const lane = async (): Promise<void> => {
    for await (const item of queue) {
      if (failure !== undefined) return;
      await work(item).catch(fail);
    }
  };
  await Promise.all(Array.from({ length: width }, () => lane().catch(fail)));
  if (failure !== undefined) throw toError(failure.cause);
}

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
