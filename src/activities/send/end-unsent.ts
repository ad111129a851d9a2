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

type StartDeps = Readonly<{
  store: Store;
  log: Readonly<{ info(text: string): void; warn(facts: object, text: string): void }>;
}>;

/**
 * Ends the attempts that killed workers of this machine had not sent, and opens the list of this worker. Payments go on without
 * a list, and wait longer after a kill.
 */
export async function startUnsentList(
  { store, log }: StartDeps,
  ground: ListGround,
): Promise<UnsentList> {
  const count = await endUnsentAttempts({ store, nowMs: Date.now }, readEndedLists(ground));
  if (count > 0) {
    log.info(`sending again what a killed worker did not send: ${counted(count, 'create')}`);
  }
  try {
    return openUnsentList(ground);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason: maskedUrl(reason) }, 'the unsent list of this worker could not be made');
    return NO_UNSENT_LIST;
  }
}
