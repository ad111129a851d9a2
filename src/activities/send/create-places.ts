/** The place of one chunk among the creates of its group. It keeps its place until it frees it. */
export type CreatePlace = Readonly<{
  /** Waits for a place. Throws GroupEnded where no further create may be made. */
  take(): Promise<void>;
  free(): void;
}>;

/** The group makes no further create. The chunk is as it was before. */
export class GroupEnded extends Error {}

/** For a chunk by itself. */
export const OWN_PLACE: CreatePlace = { take: () => Promise.resolve(), free: () => {} };

/**
 * The places for the creates of one group. Chunks that wait for a place are prepared already: their rows are read and their
 * key is looked up. `isOpen`: whether further creates may be made.
 */
export function createPlaces(count: number, isOpen: () => boolean) {
  let free = count;
  let taken = 0;
  const waiting: (() => void)[] = [];
  const isFull = (): boolean => free === 0;
  const wakeNext = (): void => waiting.shift()?.();

  function placeOfChunk(): CreatePlace {
    let isTaken = false;
    return {
      async take() {
        if (isTaken) return;
        while (isFull() && isOpen()) {
          await new Promise<void>((resolve) => void waiting.push(resolve));
        }
        if (!isOpen()) {
          // The next one must not wait for a create either.
          wakeNext();
          throw new GroupEnded();
        }
        isTaken = true;
        free -= 1;
        taken += 1;
      },

      free() {
        if (!isTaken) return;
        isTaken = false;
        free += 1;
        wakeNext();
      },
    };
  }

  return { placeOfChunk, /** Places that were taken, ever. */ taken: (): number => taken };
}
