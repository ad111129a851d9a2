import { alarmOf, nextPayoutTimes } from '../../domain/settling/payout-times.ts';
import type { PayoutReading } from '../service/read-twice.ts';
import type { SweptChunk, SettleDeps } from './settling.ts';

/**
 * Stores how long a mass payout has been on its way, in its state, or unreadable. Returns whether a person should check
 * it. It is followed all the same.
 */
export async function notePayoutTimes(
  { store, nowMs }: SettleDeps,
  { at, chunk, options }: SweptChunk,
  reading: PayoutReading,
): Promise<boolean> {
  const state = typeof reading === 'string' ? undefined : reading.state;
  const now = nowMs();
  const times = nextPayoutTimes(chunk, { was: chunk.massState, is: state, nowMs: now });
  const dueMs = options.executionDate === null ? 0 : Date.parse(options.executionDate);
  const alarm = alarmOf(times, {
    state: state ?? chunk.massState,
    isRefused: reading === 'refused',
    dueMs,
    nowMs: now,
  });
  const isKnown =
    times.openSinceMs === chunk.openSinceMs &&
    times.stateSinceMs === chunk.stateSinceMs &&
    times.unreadSinceMs === chunk.unreadSinceMs &&
    (alarm?.reason ?? null) === chunk.attentionReason;
  if (!isKnown) await store.settlements.setTimes(at, times, alarm);
  return alarm !== undefined;
}
