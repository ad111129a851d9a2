import { readDefinition } from '../../contract/schedule.ts';
import type { RunState } from '../../domain/schedule/run-state.ts';
import { isoOf } from '../../domain/schedule/zone.ts';
import type { ScheduleRecord } from '../../store/schedules/schedules.ts';
import { withSources } from '../batch/sources.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { nextStartable } from './demand.ts';
import { findEverMade } from './find.ts';
import { readSchedule, type ScheduleView } from './standing.ts';

/** One schedule of the list. */
export type ListedSchedule = Readonly<{
  scheduleId: string;
  state: 'AT_WORK' | 'PAUSED';
  rule: string;
  timezone: string;
  nextDueAt: string | null;
  lastRun: Readonly<{ run: string; state: RunState; batchId: string | null }> | null;
}>;

/** Every schedule, by id. */
export const listSchedules = (context: OperationContext): Promise<readonly ListedSchedule[]> =>
  withSources(context, async (sources) => {
    const records = await sources.store.schedules.list();
    const nowMs = context.clock.nowMs();
    return Promise.all(records.map((record) => listOne(sources, record, nowMs)));
  });

async function listOne(
  { store }: Sources,
  record: ScheduleRecord,
  nowMs: number,
): Promise<ListedSchedule> {
  const definition = readDefinition(record);
  const { scheduleId, rule, timezone } = definition;
  const next = await nextStartable(store, definition, nowMs);
  const [last] = await store.scheduleRuns.list(scheduleId, { limit: 1 });
  return {
    scheduleId,
    state: record.paused === null ? 'AT_WORK' : 'PAUSED',
    rule,
    timezone,
    nextDueAt: next === undefined ? null : isoOf(next.dueAtMs),
    lastRun:
      last === undefined ? null : { run: last.nominal, state: last.state, batchId: last.batchId },
  };
}

/**
 * A schedule: its definition and state, its last runs and their results, and its next runs. A deleted schedule is shown with its
 * last definition and its history. @throws SCHEDULE_ID_INVALID, SCHEDULE_NOT_FOUND
 */
export const showSchedule = (
  { scheduleId }: Readonly<{ scheduleId: string }>,
  context: OperationContext,
): Promise<ScheduleView> =>
  withSources(context, async (sources) =>
    readSchedule(sources, await findEverMade(sources.store, scheduleId), context),
  );
