import { readDefinition, type ScheduleDefinition } from '../contract/schedule.ts';
import { counted } from '../domain/text/counted.ts';
import type { ScheduleRecord } from '../store/schedules/schedules.ts';
import type { Progress } from '../operations/context.ts';
import type { Engine } from '../operations/engine/engine.ts';
import type { Store } from '../store/index.ts';
import { type TemporalWord, temporalWord } from '../operations/schedule/standing.ts';
import { type Check, ok, warn } from './check.ts';

const NAME = 'schedules';

/** The check of Temporal reports that Temporal does not answer. */
const SILENT: Progress = { say: () => undefined, show: () => undefined, clear: () => undefined };

/** How long before the last day of a holiday file a warning begins: time to find and to agree on the next ones. */
const HOLIDAYS_AHEAD_MS = 60 * 86_400_000;

/** Whether schedules are at work as the store has it, and have the holidays ahead. No result without schedules. */
export async function checkSchedules(
  { store, engine }: Readonly<{ store: Store; engine(): Promise<Engine> }>,
  nowMs: number,
): Promise<Check[]> {
  const records = await store.schedules.list();
  const troubles: Check[] = [];
  for (const record of records) {
    const word = await temporalWord(engine, record.scheduleId, SILENT);
    troubles.push(...checkStanding(record, word), ...checkHolidays(readDefinition(record), nowMs));
  }
  if (records.length === 0 || troubles.length > 0) return troubles;
  return [ok(NAME, `${counted(records.length, 'schedule')}, active or paused as in the store`)];
}

function checkStanding({ scheduleId, paused }: ScheduleRecord, word: TemporalWord): Check[] {
  const isWrong = word === 'unknown' || (word === 'paused' && paused === null);
  if (!isWrong) return [];
  const says =
    word === 'paused'
      ? `${scheduleId} is paused in Temporal, and not by Bursar: no run begins`
      : `Temporal does not have ${scheduleId}: no run begins`;
  const fix =
    paused === null
      ? `To activate it: bursar schedule resume ${scheduleId}`
      : `It is paused, so no run is missed now. "bursar schedule resume ${scheduleId}" sets it up again.`;
  return [warn(NAME, says, fix)];
}

function checkHolidays({ scheduleId, holidays }: ScheduleDefinition, nowMs: number): Check[] {
  const last = holidays?.days.at(-1)?.date;
  const soon = new Date(nowMs + HOLIDAYS_AHEAD_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
  if (holidays === null || last === undefined || last >= soon) return [];
  return [
    warn(
      NAME,
      `the holidays of ${scheduleId} (${holidays.file}) are known until ${last}. Later runs do not move`,
      `Delete the schedule and create it again with a file of the days ahead; "bursar schedule show ${scheduleId}" shows its rule.`,
    ),
  ];
}
