import type { Sources } from '../batch/types.ts';

/** The name and the reason of the pause in the audit log. */
type Paused = Readonly<{ actor: string; note: string; nowMs(): number }>;

/**
 * Pauses every active schedule. An older copy of the store lacks the files that its runs have taken since, and the later
 * decisions of people. Returns the ids.
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
    // From here on the store refuses every run, even if Temporal begins one.
    await store.schedules.pause(scheduleId, { sinceMs: atMs, note }, entry);
    paused.add(scheduleId);
    const { schedules } = await engine();
    if ((await schedules.describe(scheduleId)) !== undefined) {
      await schedules.pause(scheduleId, note);
    }
  }
  return paused;
}
