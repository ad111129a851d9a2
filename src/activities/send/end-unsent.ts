import type { Store } from '../../store/index.ts';
import type { EndedList } from '../../store/sending/unsent-list.ts';

type EndDeps = Readonly<{ store: Readonly<{ sends: Store['sends'] }>; nowMs(): number }>;

/** Ends the attempts on the unsent lists of processes that have ended, and deletes the lists. Returns how many it ended. */
export async function endUnsentAttempts(
  { store, nowMs }: EndDeps,
  lists: readonly EndedList[],
): Promise<number> {
  let count = 0;
  for (const list of lists) {
    for (const attempt of list.attempts) {
      if (await store.sends.endUnsent(attempt, nowMs())) count += 1;
    }
    list.delete();
  }
  return count;
}
