import { alarmOf, watchOn } from '../../domain/settling/watch.ts';
import type { Open, SettleDeps } from './settling.ts';

/**
 * Stores how long a mass payout has been on its way, in its state, or unreadable. Returns whether a person should check
 * it. It is followed all the same. `state`: undefined when it could not be read.
 */
export async function watchPayout(
  { store, nowMs }: SettleDeps,
  { at, chunk, options }: Open,
  state: string | undefined,
): Promise<boolean> {
  const now = nowMs();
  const watch = watchOn(chunk, { was: chunk.massState, is: state, nowMs: now });
  const dueMs = options.executionDate === null ? 0 : Date.parse(options.executionDate);
  const alarm = alarmOf(watch, { state: state ?? chunk.massState, dueMs, nowMs: now });
  const isKnown =
    watch.openSinceMs === chunk.openSinceMs &&
    watch.stateSinceMs === chunk.stateSinceMs &&
    watch.unreadSinceMs === chunk.unreadSinceMs &&
    (alarm?.reason ?? null) === chunk.attentionReason;
  if (!isKnown) await store.settlements.watch(at, watch, alarm);
  return alarm !== undefined;
}
