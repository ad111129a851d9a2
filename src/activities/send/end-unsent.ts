import { counted } from '../../domain/text/counted.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import type { Store } from '../../store/index.ts';
import {
  type EndedList,
  type ListGround,
  NO_UNSENT_LIST,
  openUnsentList,
  readEndedLists,
  type UnsentList,
} from '../../store/sending/unsent-list.ts';

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

/**
 * Ends the attempts that killed workers of this machine had not sent, and opens the list of this worker. Payments go on without
 * a list, and wait longer after a kill.
 */
export async function startUnsentList(store: Store, ground: ListGround): Promise<UnsentList> {
  const count = await endUnsentAttempts({ store, nowMs: Date.now }, readEndedLists(ground));
  if (count > 0) {
    const creates = counted(count, 'create');
    process.stdout.write(`sending again what a killed worker did not send: ${creates}\n`);
  }
  try {
    return openUnsentList(ground);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `the unsent list of this worker could not be made (${maskedUrl(reason)})\n`,
    );
    return NO_UNSENT_LIST;
  }
}
