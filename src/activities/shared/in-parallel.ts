/**
 * Works through items with at most `width` under way. After a failure nothing new is begun; it is thrown once all that
 * was begun has ended.
 */
export async function inParallel<Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failure: { cause: unknown } | undefined;
  const lane = async (): Promise<void> => {
    for (const item of queue) {
      if (failure !== undefined) return;
      await work(item).catch((cause: unknown) => {
        failure ??= { cause };
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  if (failure !== undefined) throw toError(failure.cause);
}

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
