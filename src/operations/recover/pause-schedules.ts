import type { Sources } from '../batch/types.ts';

/** As whom the audit log names the person who pauses, and why. */
type Paused = Readonly<{ actor: string; note: string; nowMs(): number }>;

/**
 * Pauses every schedule that is at work: an older copy of the store does not know which files its runs have taken since, nor what
 * people decided about it. Answers with the ids.
 */
export async function pauseSchedules(
  { store, engine }: Sources,
  { actor, note, nowMs }: Paused,
): Promise<ReadonlySet<string>> {
  const paused = new Set<string>();
  for (const record of await store.schedules.list()) {
    if (record.paused !== null) continue;
    const { scheduleId } = record;
    const atMs = nowMs();
    const detail = { scheduleId, note };
    const entry = { atMs, batchId: null, actor, action: 'schedule-pause', detail };
    // From here on nothing of it begins, whatever Temporal does.
    await store.schedules.pause(scheduleId, { sinceMs: atMs, note }, entry);
    paused.add(scheduleId);
    const { schedules } = await engine();
    if ((await schedules.describe(scheduleId)) !== undefined) {
      await schedules.pause(scheduleId, note);
    }
  }
  return paused;
}
