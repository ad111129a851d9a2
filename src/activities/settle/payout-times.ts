import { alarmOf, nextPayoutTimes } from '../../domain/settling/payout-times.ts';
import type { SweptChunk, SettleDeps } from './settling.ts';

/**
 * Stores how long a mass payout has been on its way, in its state, or unreadable. Returns whether a person should check
 * it. It is followed all the same. `state`: undefined when it could not be read.
 */
export async function notePayoutTimes(
  { store, nowMs }: SettleDeps,
  { at, chunk, options }: SweptChunk,
  state: string | undefined,
): Promise<boolean> {
  const now = nowMs();
  const times = nextPayoutTimes(chunk, { was: chunk.massState, is: state, nowMs: now });
  const dueMs = options.executionDate === null ? 0 : Date.parse(options.executionDate);
  const alarm = alarmOf(times, { state: state ?? chunk.massState, dueMs, nowMs: now });
  const isKnown =
    times.openSinceMs === chunk.openSinceMs &&
    times.stateSinceMs === chunk.stateSinceMs &&
    times.unreadSinceMs === chunk.unreadSinceMs &&
    (alarm?.reason ?? null) === chunk.attentionReason;
  if (!isKnown) await store.settlements.setTimes(at, times, alarm);
  return alarm !== undefined;
}
